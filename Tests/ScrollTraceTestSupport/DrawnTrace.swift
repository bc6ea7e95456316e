/// A trace drawn as text: one row for each kind of event, one column for each moment.
///
/// The first row, `ms`, is the scale: each number stands for its first column, and the columns in
/// between are spread evenly. In the other rows
///
/// - `begin`, `start`, `done`, `due`, `target`, `shown` hold one character for each frame, its
///   number, at the moment concerned; `drop` and `rest` mark frames that were never shown and
///   refreshes at which nothing had to change, at their begin;
/// - `main` and `bg…` hold spans `[name…]`; several rows of one name lie on one track;
/// - `[…]` in any other row is an interaction of that kind, `[…>` one that never ended;
/// - `end` marks with `|` the moment at which the trace ends.
public struct DrawnTrace: Sendable {
  /// What is known of one frame; times in nanoseconds.
  public struct DrawnFrame: Sendable {
    /// The number of the frame.
    public var id: UInt64
    /// The known times by the name of their row.
    public var times: [String: Int64] = [:]
    /// `dropped`, `notRequested`, or `nil`.
    public var outcome: String?
  }

  /// A piece of work on a track.
  public struct DrawnSpan: Sendable {
    /// `main`, or `bg` and a number.
    public var track: String
    /// What the span is called.
    public var name: String
    /// When it begins.
    public var start: Int64
    /// When it ends.
    public var end: Int64
  }

  /// An interaction; `end` is `nil` where it never ended.
  public struct DrawnInteraction: Sendable {
    /// drag, deceleration …
    public var kind: String
    /// When it begins.
    public var start: Int64
    /// When it ends.
    public var end: Int64?
  }

  /// The frames, in order of appearance.
  public var frames: [DrawnFrame] = []
  /// The spans, in order of appearance.
  public var spans: [DrawnSpan] = []
  /// The interactions.
  public var interactions: [DrawnInteraction] = []
  /// When the trace ends, in nanoseconds; with its last event where this is `nil`.
  public var end: Int64?
  /// The refresh interval of the frames in nanoseconds; `nil` where unknown.
  public var refreshInterval: Int64?
  /// The refresh intervals of frames that differ, in nanoseconds.
  public var refreshIntervals: [UInt64: Int64] = [:]
  /// The presentation tolerance in nanoseconds.
  public var tolerance: Int64 = 0

  /// Frames that begin at an even `pace`, a refresh apart where it is `nil`, from zero on. `times` are
  /// those of a frame besides its begin; `end` is that of the drag, if there is one.
  public init(
    refreshInterval: Int64 = 16_666_667, pace: Int64? = nil, frames count: Int,
    dragUntil end: Int64? = nil, times: (_ id: Int, _ begin: Int64) -> [String: Int64]
  ) {
    self.refreshInterval = refreshInterval
    frames = (0..<count).map { id in
      let begin = Int64(id) * (pace ?? refreshInterval)
      let times = times(id, begin).merging(["begin": begin]) { $1 }
      return DrawnFrame(id: UInt64(id), times: times)
    }
    if let end { interactions = [DrawnInteraction(kind: "drag", start: 0, end: end)] }
  }

  /// The trace drawn as `drawing`, of a display that refreshes `hz` times a second.
  public init(hz: Double?, _ drawing: String) {
    refreshInterval = hz.map { Int64((1e9 / $0).rounded()) }
    var scale: [(column: Int, time: Int64)] = []
    for row in drawing.split(separator: "\n") where !row.allSatisfy({ $0 == " " }) {
      let characters = Array(row)
      let name = String(row.drop { $0 == " " }.prefix { $0 != " " })
      let start = characters.firstIndex { $0 != " " } ?? 0
      let body = start + name.count
      if name == "ms" {
        scale = Self.scale(characters, from: body)
      } else {
        read(name: name, characters, from: body) { Self.time(at: $0, scale) }
      }
    }
  }

  private static func scale(_ row: [Character], from body: Int) -> [(column: Int, time: Int64)] {
    var found: [(column: Int, time: Int64)] = []
    var column = body
    while column < row.count {
      guard row[column] != " " else {
        column += 1
        continue
      }
      let text = String(row[column...].prefix { $0 != " " })
      precondition(Double(text) != nil, "the scale holds numbers, not '\(text)'")
      found.append((column, nanoseconds(text)))
      column += text.count
    }
    precondition(found.count >= 2, "a scale needs two numbers")
    return found
  }

  /// Milliseconds with a fraction, exactly.
  static func nanoseconds(_ text: String) -> Int64 {
    let parts = text.split(separator: ".")
    let fraction = parts.count > 1 ? String(parts[1].prefix(6)) : ""
    let padded = fraction + String(repeating: "0", count: 6 - fraction.count)
    return (Int64(parts[0]) ?? 0) * 1_000_000 + (Int64(padded) ?? 0)
  }

  private static func time(at column: Int, _ scale: [(column: Int, time: Int64)]) -> Int64 {
    let next = scale.firstIndex { $0.column >= column } ?? scale.count - 1
    let (right, left) = (scale[max(1, next)], scale[max(1, next) - 1])
    let step = (right.time - left.time) * Int64(column - left.column)
    return left.time + step / Int64(right.column - left.column)
  }

  private mutating func read(
    name: String, _ row: [Character], from body: Int, time: (Int) -> Int64
  ) {
    let marks = ["begin", "start", "done", "due", "target", "shown", "drop", "rest"]
    var column = body
    while column < row.count {
      let character = row[column]
      if character == "[" {
        let close = row[column...].firstIndex { $0 == "]" || $0 == ">" } ?? row.count - 1
        let inner = String(row[(column + 1)..<close]).filter { $0.isLetter || $0 == " " }
        add(
          name: name, inner: inner, start: time(column),
          end: row[close] == "]" ? time(close) : nil)
        column = close
      } else if marks.contains(name), character != " ", character != "." {
        guard let id = UInt64(String(character), radix: 36) else {
          preconditionFailure("'\(character)' is no frame number")
        }
        mark(frame: id, name, at: time(column))
      } else if name == "end", character == "|" {
        end = time(column)
      }
      column += 1
    }
  }

  private mutating func add(name: String, inner: String, start: Int64, end: Int64?) {
    if name == "main" || name.hasPrefix("bg") {
      spans.append(
        DrawnSpan(
          track: name, name: inner.isEmpty ? "work" : inner, start: start, end: end ?? start))
    } else {
      interactions.append(DrawnInteraction(kind: name, start: start, end: end))
    }
  }

  private mutating func mark(frame id: UInt64, _ name: String, at time: Int64) {
    let index = frames.firstIndex { $0.id == id } ?? frames.count
    if index == frames.count { frames.append(DrawnFrame(id: id)) }
    switch name {
    case "drop":
      frames[index].outcome = "dropped"
      frames[index].times["begin"] = time
    case "rest":
      frames[index].outcome = "notRequested"
      frames[index].times["begin"] = time
    default: frames[index].times[name] = time
    }
  }

  /// Moves one time of one frame by `nanoseconds`, for what is finer than a column.
  public func moving(_ name: String, of frame: UInt64, by nanoseconds: Int64) -> DrawnTrace {
    var copy = self
    guard let index = frames.firstIndex(where: { $0.id == frame }),
      let time = frames[index].times[name]
    else { preconditionFailure("frame \(frame) has no '\(name)'") }
    copy.frames[index].times[name] = time + nanoseconds
    return copy
  }
}
