internal import CRecorderShims

/// The timing of a surface's most recent frames, used to detect late frames.
///
/// It exists only if dumps are made after hitches, and is never freed. Frames begin on one thread
/// and can be presented on any thread; an entry that is being replaced counts as empty.
struct RecentFrameTimings {
  /// The number of entries, a power of two.
  private static var count: UInt64 { 64 }
  /// The size of an entry in bytes: number, deadline and target.
  private static var entrySize: Int { 24 }
  /// A value for an empty entry and for an unknown time.
  private static var none: UInt64 { .max }

  private let entries: UnsafeMutableRawPointer

  init() {
    let size = Int(Self.count) * Self.entrySize
    entries = .allocate(byteCount: size, alignment: 8)
    entries.initializeMemory(as: UInt8.self, repeating: 0xFF, count: size)
  }

  /// Stores the timing of a frame, replacing an older one.
  func keep(_ frame: UInt64, _ tick: FrameTiming) {
    let entry = entry(of: frame)
    scrolltrace_store(entry, Self.none)
    scrolltrace_fence()
    scrolltrace_store(entry + 8, tick.deadline.map { UInt64(bitPattern: $0) } ?? Self.none)
    scrolltrace_store(entry + 16, tick.target.map { UInt64(bitPattern: $0) } ?? Self.none)
    scrolltrace_store_release(entry, frame)
  }

  /// The deadline of a frame, or `nil` if it is unknown or no longer stored.
  func deadline(of frame: UInt64) -> Int64? { time(of: frame, at: 8) }

  /// The target of a frame, or `nil` if it is unknown or no longer stored.
  func target(of frame: UInt64) -> Int64? { time(of: frame, at: 16) }

  private func time(of frame: UInt64, at offset: Int) -> Int64? {
    let entry = entry(of: frame)
    guard frame != Self.none, scrolltrace_load_acquire(entry) == frame else { return nil }
    let time = scrolltrace_load_acquire(entry + offset)
    guard time != Self.none, scrolltrace_load(entry) == frame else { return nil }
    return Int64(bitPattern: time)
  }

  private func entry(of frame: UInt64) -> UnsafeMutableRawPointer {
    entries + Int(frame & (Self.count - 1)) * Self.entrySize
  }
}
