internal import CRecorderShims

/// What the display said about the last frames of a surface, so that a late one is known as such.
///
/// It is kept where dumps after hitches are wanted, and never freed. Frames begin on one thread and are
/// said to be presented on any: an entry that is being replaced is none.
struct RecentFrameTimings {
  /// How many frames are kept; a power of two.
  private static var count: UInt64 { 64 }
  /// Number, deadline and target.
  private static var entrySize: Int { 24 }
  /// The number of no frame, and the time that is not known.
  private static var none: UInt64 { .max }

  private let entries: UnsafeMutableRawPointer

  init() {
    let size = Int(Self.count) * Self.entrySize
    entries = .allocate(byteCount: size, alignment: 8)
    entries.initializeMemory(as: UInt8.self, repeating: 0xFF, count: size)
  }

  /// Keeps what is known of a frame, instead of an older one.
  func keep(_ frame: UInt64, _ tick: FrameTiming) {
    let entry = entry(of: frame)
    scrolltrace_store(entry, Self.none)
    scrolltrace_fence()
    scrolltrace_store(entry + 8, tick.deadline.map { UInt64(bitPattern: $0) } ?? Self.none)
    scrolltrace_store(entry + 16, tick.target.map { UInt64(bitPattern: $0) } ?? Self.none)
    scrolltrace_store_release(entry, frame)
  }

  /// When the commit of a frame had to be done, or `nil` if that is not known, or not any more.
  func deadline(of frame: UInt64) -> Int64? { time(of: frame, at: 8) }

  /// When a frame should have been on screen, or `nil` if that is not known, or not any more.
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
