#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  internal import CoreFoundation

  /// Reports when the main run loop has found something to do, before it does it, and when it has done all of
  /// it and is about to wait.
  ///
  /// A class, because the run loop calls it and must not keep its owner.
  @MainActor
  final class RunLoopTurns {
    private var observers: [CFRunLoopObserver] = []

    /// Calls `wakes` and `waits` on the main thread until `stop()`, or until one returns `nil` because its
    /// owner is gone.
    init(wakes: @escaping @MainActor () -> Void?, waits: @escaping @MainActor () -> Void?) {
      observe(.afterWaiting, order: .min, wakes)
      // Core Animation commits before the run loop waits. The last observer in order runs after it.
      observe(.beforeWaiting, order: .max, waits)
    }

    private func observe(
      _ activity: CFRunLoopActivity, order: CFIndex, _ body: @escaping @MainActor () -> Void?
    ) {
      let observer = CFRunLoopObserverCreateWithHandler(
        kCFAllocatorDefault, activity.rawValue, true, order
      ) { observer, _ in
        MainActor.assumeIsolated { if body() == nil { CFRunLoopObserverInvalidate(observer) } }
      }
      guard let observer else { return }
      CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
      observers.append(observer)
    }

    func stop() {
      for observer in observers {
        CFRunLoopRemoveObserver(CFRunLoopGetMain(), observer, .commonModes)
      }
      observers = []
    }
  }
#endif
