import ScrollTraceModel
import ScrollTraceSummary

/// Divides a window between the spans that filled it and what their thread did meanwhile (M-16, M-25).
///
/// Only running time is attributed to spans. If one count covers several spans, running time goes to
/// spans first, and time off a core to waits first and then to what no span covers.
struct WindowFill {
  /// A part of the window that one span, or none, occupied.
  struct Piece {
    var start: Int64
    var end: Int64
    /// The position of the innermost span; `nil` if no span covers the piece.
    var span: Int?
    var kind: Kind
  }

  /// What occupied a part of the window.
  enum Kind: Int {
    case work
    case wait
    /// No span, before the frame's commit began.
    case beforeCommit
    case open
    /// No span, but samples that show what the thread did.
    case sampled
  }

  /// The running time of spans: position and time.
  private(set) var work: [(span: Int, time: Int64)] = []
  /// The spans that were open while the thread was blocked.
  private(set) var blockedIn: [(span: Int, time: Int64)] = []
  private(set) var waiting: Int64 = 0
  private(set) var notScheduled: Int64 = 0
  private(set) var blocked: Int64 = 0
  private(set) var notRunning: Int64 = 0
  private(set) var lateStart: Int64 = 0
  private(set) var idle: Int64 = 0
  private(set) var unrecorded: Int64 = 0
  /// The most of `work` that may be another span's: several spans share one count by their lengths.
  private(set) var estimated: Int64 = 0
  /// What the thread did in the window, or `nil` if there is no count for it.
  private(set) var thread: ThreadTimes?

  private var isCompletelyRecorded: Bool

  /// Creates the division of `window`, which `pieces` fill without gaps, ascending.
  ///
  /// - Parameter timeline: What the thread did, or `nil` if unknown.
  init(
    _ window: TimeRange, pieces: [Piece], timeline: ThreadTimeline?, isCompletelyRecorded: Bool
  ) {
    self.isCompletelyRecorded = isCompletelyRecorded
    guard let timeline else {
      var times = ThreadTimes()
      times.unknown = window.length
      divide(times, over: pieces)
      return
    }
    var first = 0
    var fill = self
    var all = ThreadTimes()
    timeline.forEachPart(of: window) { start, end, times in
      while first < pieces.count, pieces[first].end <= start { first += 1 }
      var inside: [Piece] = []
      var index = first
      while index < pieces.count, pieces[index].start < end {
        var piece = pieces[index]
        piece.start = max(piece.start, start)
        piece.end = min(piece.end, end)
        inside.append(piece)
        index += 1
      }
      fill.divide(times, over: inside)
      all += times
    }
    self = fill
    thread = all.isUnknown ? nil : all
  }

  /// The room that is left of each kind in a part of the window.
  private struct Room {
    /// By the number of the kind.
    var left = SIMD8<Int64>()

    /// Fills the room with as much of `amount` as fits, in this order, and returns what each kind gets.
    mutating func fill(_ amount: TimeSpan, _ order: [Kind]) -> SIMD8<Int64> {
      var (amount, taken) = (amount.nanoseconds, SIMD8<Int64>())
      for kind in order {
        let part = min(amount, left[kind.rawValue])
        taken[kind.rawValue] = part
        left[kind.rawValue] -= part
        amount -= part
      }
      return taken
    }
  }

  private mutating func divide(_ times: ThreadTimes, over pieces: [Piece]) {
    let times = times.withReadsAsWaits
    var room = Room()
    for piece in pieces { room.left[piece.kind.rawValue] += piece.end - piece.start }
    let all = room.left
    let running = room.fill(times.ran, [.work, .sampled, .open, .beforeCommit, .wait])
    let asleep = room.fill(times.blocked ?? .zero, [.wait, .beforeCommit, .open, .sampled, .work])
    let off = room.fill(times.notRunning, [.wait, .beforeCommit, .open, .sampled, .work])
    let ready = room.fill(times.ready ?? .zero, [.beforeCommit, .work, .sampled, .open, .wait])
    func amount(_ kind: Kind, _ taken: SIMD8<Int64>...) -> Int64 {
      taken.reduce(0) { $0 + $1[kind.rawValue] }
    }
    waiting += all[Kind.wait.rawValue]
    notScheduled += amount(.work, ready) + amount(.open, ready) + amount(.beforeCommit, ready)
    notScheduled += amount(.sampled, ready)
    unrecorded += amount(.open, running) + amount(.sampled, running, asleep, off, room.left)
    lateStart += amount(.beforeCommit, running, asleep, off, room.left)
    idle += amount(.open, asleep, off)
    if isCompletelyRecorded {
      idle += amount(.open, room.left)
    } else {
      unrecorded += amount(.open, room.left)
    }
    blocked += amount(.work, asleep)
    notRunning += amount(.work, off)
    let spans = pieces.filter { $0.kind == .work }
    let onCore = amount(.work, running, room.left)
    if spans.contains(where: { $0.span != spans[0].span }) {
      estimated += min(onCore, all[Kind.work.rawValue] - onCore)
    }
    Self.share(onCore, among: spans, into: &work)
    Self.share(amount(.work, asleep), among: spans, into: &blockedIn)
  }

  /// Shares `amount` among pieces in proportion to their lengths, to the nanosecond.
  private static func share(
    _ amount: Int64, among pieces: [Piece], into shares: inout [(span: Int, time: Int64)]
  ) {
    let whole = pieces.reduce(Int64(0)) { $0 + ($1.end - $1.start) }
    guard amount > 0, whole > 0 else { return }
    var (passed, given) = (Int64(0), Int64(0))
    for piece in pieces {
      guard let span = piece.span else { continue }
      passed += piece.end - piece.start
      let due = Int64(clamping: WideInteger(amount) * WideInteger(passed) / whole)
      if due > given { shares.append((span, due - given)) }
      given = due
    }
  }
}

extension ThreadTimes {
  /// How long the read of a page from a slow disk takes at most.
  private static let longestRead: Int64 = 5_000_000

  /// The times with the time off a core as blocked if the source does not say which of both it was, and the
  /// pages that the thread read from disk account for it.
  fileprivate var withReadsAsWaits: ThreadTimes {
    guard ready == nil, blocked == nil, let faults = diskFaults, faults > 0,
      notRunning.nanoseconds / faults <= Self.longestRead
    else { return self }
    var times = self
    (times.blocked, times.notRunning) = (notRunning, .zero)
    return times
  }
}
