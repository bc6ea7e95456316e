internal import CRecorderShims

/// The timing of a surface's most recent frames, used to detect late frames.
///
/// It exists only if dumps are made after hitches or not all traces are kept. Frames begin on one thread and can be presented on any thread; an entry that is being replaced counts as
/// empty.
struct RecentFrameTimings {
  /// The number of entries, a power of two.
  private static var count: UInt64 { 64 }
  /// The size of an entry in bytes: number, start, deadline, target and refresh interval.
  private static var entrySize: Int { 40 }
  /// A value for an empty entry and for an unknown time.
  private static var none: UInt64 { .max }

  private let entries: UnsafeMutableRawPointer

  init() {
    let size = Int(Self.count) * Self.entrySize
    entries = .allocate(byteCount: size, alignment: 8)
    entries.initializeMemory(as: UInt8.self, repeating: 0xFF, count: size)
  }

  /// Forgets all frames, for another surface.
  func forget() { for index in 0..<Self.count { scrolltrace_store(entry(of: index), Self.none) } }

  /// Stores the timing of a frame, replacing an older one.
  func keep(_ frame: UInt64, _ timing: FrameTiming) {
    let entry = entry(of: frame)
    scrolltrace_store(entry, Self.none)
    scrolltrace_fence()
    scrolltrace_store(entry + 8, Self.word(timing.start))
    scrolltrace_store(entry + 16, Self.word(timing.deadline))
    scrolltrace_store(entry + 24, Self.word(timing.target))
    scrolltrace_store(entry + 32, Self.word(timing.refreshInterval))
    scrolltrace_store_release(entry, frame)
  }

  /// The timing of a frame, or `nil` if it is no longer stored.
  func timing(of frame: UInt64) -> FrameTiming? {
    let entry = entry(of: frame)
    guard frame != Self.none, scrolltrace_load_acquire(entry) == frame else { return nil }
    let timing = FrameTiming(
      start: Self.time(entry + 8), deadline: Self.time(entry + 16), target: Self.time(entry + 24),
      refreshInterval: Self.time(entry + 32))
    return scrolltrace_load(entry) == frame ? timing : nil
  }

  private static func word(_ time: RecorderTime?) -> UInt64 {
    guard let time else { return none }
    return UInt64(bitPattern: time.nanoseconds)
  }

  private static func time(_ address: UnsafeMutableRawPointer) -> RecorderTime? {
    let word = scrolltrace_load_acquire(address)
    return word == none ? nil : .nanoseconds(Int64(bitPattern: word))
  }

  private func entry(of frame: UInt64) -> UnsafeMutableRawPointer {
    entries + Int(frame & (Self.count - 1)) * Self.entrySize
  }
}
