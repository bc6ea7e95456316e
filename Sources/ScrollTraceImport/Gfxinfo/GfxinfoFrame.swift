import ScrollTraceModel

/// A row of a table of `framestats`.
struct GfxinfoFrame {
  /// What is to be done with a row.
  enum Kind {
    case frame
    /// Android says itself that it is not to be counted: a window's first frame, for one.
    case flagged
    /// It was not done when the dump was made.
    case unfinished
    /// Its times contradict each other: the dump was made while they were written.
    case torn
  }

  /// What is to be done with the row.
  let kind: Kind
  /// The frame, as far as it is one.
  let frame: Frame
  /// When its phases began, by column; `nil` for those that the row does not tell.
  private let times: [Int64?]

  /// The longest a frame can take; what seems longer was put together of two.
  private static let longest: Int64 = 100_000_000_000

  /// The frame of a row that has all columns; the number is for those that have none.
  init(_ row: borrowing TableRow, _ columns: GfxinfoColumns, number: UInt64) throws(LineFault) {
    var times: [Int64?] = []
    for column in GfxinfoColumns.Column.allCases {
      switch row.number(columns[column], timesTenTo: 0) {
      case .missing: times.append(nil)
      case .value(let value): times.append(value)
      case .invalid:
        throw LineFault("\(column.rawValue) is no whole number", at: 0)
      }
    }
    self.times = times
    func time(_ column: GfxinfoColumns.Column) -> Int64? { Self.time(column, in: times) }
    let begin = time(.intendedVsync) ?? 0
    let end = time(.completed) ?? 0
    let (length, overflow) = end.subtractingReportingOverflow(begin)
    var frame = Frame(id: time(.frame).flatMap { $0 > 0 ? UInt64($0) : nil } ?? number)
    if time(.flags) != 0 {
      kind = .flagged
    } else if begin > 0, end == 0 {
      kind = .unfinished
    } else if begin < 0 || overflow || length <= 0 || length >= Self.longest {
      kind = .torn
    } else {
      kind = .frame
      func instant(_ column: GfxinfoColumns.Column) -> Timestamp? {
        time(column).flatMap { value in
          value > 0 && value >= begin && value - begin < Self.longest
            ? Timestamp(nanoseconds: value) : nil
        }
      }
      frame.start = Timestamp(nanoseconds: begin)
      let phases: [GfxinfoColumns.Column] = [
        .handleInputStart, .animationStart, .traversalsStart, .drawStart,
      ]
      let start = phases.lazy.compactMap(instant).first ?? frame.start
      frame.commitStart = start.flatMap { $0.nanoseconds <= end ? $0 : nil } ?? frame.start
      frame.commitEnd = Timestamp(nanoseconds: end)
      frame.deadline = instant(.deadline)
      frame.presented = instant(.presented)
      // The names of these two are swapped in what some versions print, the values never are.
      frame.refreshInterval = [time(.refreshInterval), time(.startTime)].lazy.compactMap { $0 }
        .first { 0 < $0 && $0 < 1_000_000_000 }.map { TimeSpan(nanoseconds: $0) }
    }
    self.frame = frame
  }

  /// A phase: from one of the columns until another.
  struct Phase {
    let name: String
    let start: Timestamp
    let end: Timestamp
  }

  /// What the main thread did for the frame.
  var mainPhases: [Phase] {
    [
      phase("handle input", .handleInputStart, .animationStart),
      phase("animation", .animationStart, .traversalsStart),
      phase("traversals", .traversalsStart, .drawStart),
      phase("draw", .drawStart, .syncQueued),
    ].compactMap { $0 }
  }

  /// While the main thread waited for the render thread to take over what it had drawn.
  var wait: Phase? { phase("sync", .syncQueued, .issueDrawStart) }

  /// What the render thread did for the frame.
  var renderPhases: [Phase] {
    let swapEnd: GfxinfoColumns.Column =
      instant(.swapCompleted) == nil ? .completed : .swapCompleted
    return [
      phase("sync", .syncStart, .issueDrawStart),
      phase("issue draw commands", .issueDrawStart, .swapBuffers),
      phase("swap buffers", .swapBuffers, swapEnd),
    ].compactMap { $0 }
  }

  private func phase(
    _ name: String, _ from: GfxinfoColumns.Column, _ to: GfxinfoColumns.Column
  ) -> Phase? {
    guard let begin = instant(from), let end = instant(to), begin < end else { return nil }
    return Phase(name: name, start: begin, end: end)
  }

  private func instant(_ column: GfxinfoColumns.Column) -> Timestamp? {
    guard let begin = frame.start?.nanoseconds, let value = Self.time(column, in: times),
      value > 0, value >= begin, value - begin < Self.longest
    else { return nil }
    return Timestamp(nanoseconds: value)
  }

  private static func time(_ column: GfxinfoColumns.Column, in times: [Int64?]) -> Int64? {
    GfxinfoColumns.Column.allCases.firstIndex(of: column).flatMap { times[$0] }
  }
}
