#if canImport(UIKit) || canImport(AppKit)
  internal import Foundation
  public import ScrollTraceRecorder

  /// Records whether Low Power Mode is on, in which displays refresh less often, as the state
  /// `lowPowerMode`. Reports can be filtered by it.
  public struct PowerStateRecorder: @unchecked Sendable {
    /// Unchecked, because only the notification center uses it.
    private let observer: any NSObjectProtocol

    /// Starts recording.
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

    /// Stops recording the state.
    public func stop() {
      NotificationCenter.default.removeObserver(observer)
    }
  }
#endif
