#if canImport(UIKit) || canImport(AppKit)
  internal import Foundation
  public import ScrollTraceRecorder

  /// Records whether the low power mode is on, in which displays refresh less often: the state
  /// `lowPowerMode`, by which reports can be split.
  public struct PowerStateRecorder: @unchecked Sendable {
    /// Unchecked, since nothing but the notification center ever uses it.
    private let observer: any NSObjectProtocol

    /// Records from now on.
    public init(_ recorder: TraceRecorder) {
      let record: @Sendable () -> Void = {
        let isOn = ProcessInfo.processInfo.isLowPowerModeEnabled
        recorder.setState("lowPowerMode", to: isOn ? "on" : nil)
      }
      record()
      observer = NotificationCenter.default.addObserver(
        forName: .NSProcessInfoPowerStateDidChange, object: nil, queue: nil
      ) { _ in record() }
    }

    /// Ends the recording of the state.
    public func stop() {
      NotificationCenter.default.removeObserver(observer)
    }
  }
#endif
