internal import CRecorderShims
public import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the hot path needs to know of a recorder.
///
/// It lies in memory of its own that is never freed: other threads may call in at any time, and a
/// recorder that is a plain pointer costs them no reference counting.
@usableFromInline
struct ControlBlock: ~Copyable {
  /// Whether events are taken; see `RecorderMode`. One relaxed load decides.
  @usableFromInline let mode: Atomic<UInt32>
  /// Whether the clock is told from the tick counter.
  let readsTicks: Bool
  /// Which of the system's clocks; `nil` for one of the host's.
  let systemClock: clockid_t?
  /// The time of a manual clock.
  let manualTime: Atomic<Nanoseconds>
  /// The payload of the session blob, in place.
  let session: UnsafeMutableRawPointer
  /// Everything that is needed rarely; retained for ever.
  let store: Unmanaged<RecorderStore>
  /// The surface frames belong to where the host names none.
  let defaultSurface: Surface
  /// The shortest hitch after which a dump is wanted; the greatest number where none ever is.
  @usableFromInline let hitchLimit: Nanoseconds
  /// The next block in the list of all, for a fork's child.
  var nextOfAll: UnsafeMutablePointer<ControlBlock>?

  init(store: RecorderStore, isEnabled: Bool, clock: RecorderClock) {
    mode = Atomic(isEnabled ? RecorderMode.on : RecorderMode.off)
    readsTicks = store.readsTicks
    systemClock = clock.systemClock
    if case .manual(let start) = clock {
      manualTime = Atomic(start)
    } else {
      manualTime = Atomic(0)
    }
    session = store.session
    hitchLimit = store.options.dumpsOnHitch?.limit ?? .max
    defaultSurface = store.surface("display").surface
    self.store = Unmanaged.passRetained(store)
    nextOfAll = nil
  }
}

/// The values of a control block's mode.
@usableFromInline
enum RecorderMode {
  /// Switched off by the host.
  @inlinable static var off: UInt32 { 0 }
  /// Recording.
  @inlinable static var on: UInt32 { 1 }
  /// Finished; calls are counted as lost.
  @inlinable static var closed: UInt32 { 2 }
  /// In the child of a fork: nothing may be written, not even a count.
  @inlinable static var forked: UInt32 { 3 }
}
