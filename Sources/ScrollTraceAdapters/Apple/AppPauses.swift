#if canImport(UIKit) && !os(watchOS)
  internal import Foundation
  internal import UIKit
#elseif canImport(AppKit)
  internal import AppKit
  internal import Foundation
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  /// Reports when the app enters the background, or a window is hidden, covered or minimized, where there are
  /// no frames, and when it returns.
  ///
  /// A class, because it owns the observers.
  @MainActor
  final class AppPauses {
    private var observers: [any NSObjectProtocol] = []

    #if canImport(UIKit)
      private static let pause = UIApplication.didEnterBackgroundNotification
      private static let resume = UIApplication.willEnterForegroundNotification
    #else
      private static let pause = NSApplication.didHideNotification
      private static let resume = NSApplication.didUnhideNotification
    #endif

    /// Calls `pause` and `resume` on the main thread until `stop()`.
    ///
    /// - Parameter isHidden: Whether nothing of the window is visible, in AppKit.
    init(
      isHidden: @escaping @MainActor () -> Bool = { false },
      pause: @escaping @MainActor () -> Void, resume: @escaping @MainActor () -> Void
    ) {
      observe(Self.pause, pause)
      observe(Self.resume, resume)
      #if !canImport(UIKit)
        // Minimizing changes it too.
        observe(NSWindow.didChangeOcclusionStateNotification) { isHidden() ? pause() : resume() }
      #endif
    }

    private func observe(_ name: Notification.Name, _ body: @escaping @MainActor () -> Void) {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
          MainActor.assumeIsolated { body() }
        })
    }

    func stop() {
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
      observers = []
    }
  }
#endif
