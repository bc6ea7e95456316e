#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  internal import Foundation
  public import ScrollTraceRecorder

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #endif

  #if canImport(UIKit)
    public import UIKit
  #endif

  /// Records the device and its condition as states, for filtering reports and comparing baselines.
  ///
  /// | State | Values |
  /// |---|---|
  /// | `thermal` | `fair`, `serious`, `critical`; none if nominal |
  /// | `lowPowerMode` | `on`, in which displays refresh less often |
  /// | `device` | the model, such as `iPhone15,2` |
  /// | `system` | the system and its version |
  /// | `configuration` | `debug` or `release`, as the adapters were built |
  /// | `maximumFps` | what the screen can show |
  /// | `frameRateLimit` | `60` if the app's `Info.plist` lacks `CADisableMinimumFrameDurationOnPhone` on a phone that can do more |
  public struct DeviceStateRecorder: @unchecked Sendable {
    /// Unchecked, because only the notification center uses them.
    private let observers: [any NSObjectProtocol]

    #if canImport(UIKit)
      /// Starts recording.
      ///
      /// - Parameter screen: The screen, or `nil` to leave its states unknown.
      @MainActor
      public init(_ recorder: TraceRecorder, screen: UIScreen? = nil) {
        self.init(states: recorder, system: UIDevice.current.systemName)
        guard let screen else { return }
        let limit = FrameRateLimit.limit(
          ofScreen: screen.maximumFramesPerSecond,
          isPhone: UIDevice.current.userInterfaceIdiom == .phone,
          isUnlocked: Bundle.main.object(
            forInfoDictionaryKey: "CADisableMinimumFrameDurationOnPhone") as? Bool)
        recorder.setState("maximumFps", to: String(screen.maximumFramesPerSecond))
        recorder.setState("frameRateLimit", to: limit.map(String.init))
      }
    #else
      /// Starts recording.
      public init(_ recorder: TraceRecorder) { self.init(states: recorder, system: "macOS") }
    #endif

    private init(states recorder: TraceRecorder, system: String) {
      let version = ProcessInfo.processInfo.operatingSystemVersion
      recorder.setState(
        "system",
        to: "\(system) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)")
      recorder.setState("device", to: Self.model)
      #if DEBUG
        recorder.setState("configuration", to: "debug")
      #else
        recorder.setState("configuration", to: "release")
      #endif
      func observe(
        _ name: Notification.Name, _ record: @escaping @Sendable () -> Void
      ) -> any NSObjectProtocol {
        record()
        return NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
          record()
        }
      }
      observers = [
        observe(.NSProcessInfoPowerStateDidChange) {
          let isOn = ProcessInfo.processInfo.isLowPowerModeEnabled
          recorder.setState("lowPowerMode", to: isOn ? "on" : nil)
        },
        observe(ProcessInfo.thermalStateDidChangeNotification) {
          let state: String? =
            switch ProcessInfo.processInfo.thermalState {
            case .nominal: nil
            case .fair: "fair"
            case .serious: "serious"
            case .critical: "critical"
            @unknown default: nil
            }
          recorder.setState("thermal", to: state)
        },
      ]
    }

    /// Stops recording the states.
    public func stop() {
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    /// The model, or `nil` if the system does not say.
    private static var model: String? {
      var name = utsname()
      guard withUnsafeMutablePointer(to: &name, { uname($0) }) == 0 else { return nil }
      return withUnsafeBytes(of: name.machine) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
  }
#endif
