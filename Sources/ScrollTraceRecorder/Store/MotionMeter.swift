internal import CRecorderShims

/// The time in which at least one interaction is open, so that a frame is owed at each refresh.
struct MotionMeter {
  private enum Word {
    static let start = 0
    static let end = 1
    static let openSince = 2
    static let length = 3
    static let longestRefresh = 4
    static let all = 5
  }

  private let words = SharedTimes(count: Word.all)
  /// The start of the last motion, or `nil` if there is none.
  var start: Int64? { words[Word.start] }

  func free() { words.free() }

  /// Adds a refresh interval: interactions that are less than the longest apart are one motion.
  func addRefresh(_ interval: Int64) {
    if interval > words[Word.longestRefresh] ?? 0 { words[Word.longestRefresh] = interval }
  }

  /// Adds the start of an interaction while none is open.
  func begin(at time: Int64) {
    guard time >= 0, time < 1 << 60 else { return }
    let longest = words[Word.longestRefresh] ?? 1
    let isNew = words[Word.end].map { time - $0 >= longest } ?? true
    words[Word.openSince] = time
    if isNew { words[Word.start] = time }
    words[Word.end] = nil
  }

  /// Adds the end of the last open interaction.
  func end(at time: Int64) {
    guard let since = words[Word.openSince], time >= since else { return }
    words.add(time - since, to: Word.length)
    words[Word.end] = time
    words[Word.openSince] = nil
  }

  /// Returns how much of a range of time is in the last motion.
  func part(from first: Int64, to last: Int64) -> Int64 {
    guard let start = words[Word.start] else { return 0 }
    return max(0, min(last, words[Word.end] ?? .max) - max(first, start))
  }

  /// Returns whether the gap before a picture counts: its frame began in the motion or right after it.
  func owesFrame(begunAt time: Int64, _ interval: Int64) -> Bool {
    guard words[Word.start] != nil else { return false }
    guard let end = words[Word.end] else { return true }
    return time - end <= interval + interval / 2
  }

  /// Returns the time of all motions, up to `last` if one is still open.
  func length(until last: Int64) -> Int64 {
    let open = words[Word.openSince].map { max(0, last - $0) } ?? 0
    return (words[Word.length] ?? 0) + open
  }
}

/// Times that any thread may read and change, in memory of their own.
struct SharedTimes {
  private let start: UnsafeMutableRawPointer

  private static var none: Int64 { .min }

  private let count: Int

  /// Creates `count` unknown times.
  init(count: Int) {
    start = .allocate(byteCount: count * 8, alignment: 8)
    self.count = count
    forget()
  }

  func forget() { for index in 0..<count { self[index] = nil } }

  func free() { start.deallocate() }

  subscript(_ index: Int) -> Int64? {
    get {
      let time = Int64(bitPattern: scrolltrace_load(start + index * 8))
      return time == Self.none ? nil : time
    }
    nonmutating set {
      scrolltrace_store(start + index * 8, UInt64(bitPattern: newValue ?? Self.none))
    }
  }

  /// Adds to a time, which is zero if unknown.
  func add(_ length: Int64, to index: Int) {
    if self[index] == nil { self[index] = 0 }
    _ = scrolltrace_add(start + index * 8, UInt64(bitPattern: length))
  }
}
