/// The columns of a table of `framestats`, which differ from version to version of Android.
struct GfxinfoColumns {
  /// What a column says; times are nanoseconds since the start of the machine.
  enum Column: String, CaseIterable {
    case flags = "Flags"
    case frame = "FrameTimelineVsyncId"
    case intendedVsync = "IntendedVsync"
    case handleInputStart = "HandleInputStart"
    case animationStart = "AnimationStart"
    case traversalsStart = "PerformTraversalsStart"
    case drawStart = "DrawStart"
    case deadline = "FrameDeadline"
    case startTime = "FrameStartTime"
    case refreshInterval = "FrameInterval"
    case syncQueued = "SyncQueued"
    case syncStart = "SyncStart"
    case issueDrawStart = "IssueDrawCommandsStart"
    case swapBuffers = "SwapBuffers"
    case completed = "FrameCompleted"
    case swapCompleted = "SwapBuffersCompleted"
    case presented = "DisplayPresentTime"
  }

  private var places: [Int?]

  /// The columns that `line` names; `nil` where it is no such line.
  init?(_ line: UnsafeRawBufferPointer) {
    var row = TableRow()
    guard line.starts(with: "Flags,".utf8), row.read(line, delimiter: UInt8(ascii: ",")) else {
      return nil
    }
    places = Array(repeating: nil, count: Column.allCases.count)
    for index in 0..<row.count where row.bytes(index).count < 64 {
      guard let column = Column(rawValue: row.text(index)),
        let place = Column.allCases.firstIndex(of: column), places[place] == nil
      else { continue }
      places[place] = index
    }
    guard self[.intendedVsync] != nil, self[.completed] != nil else { return nil }
  }

  /// Where a column is; `nil` where the version does not have it.
  subscript(column: Column) -> Int? {
    Column.allCases.firstIndex(of: column).flatMap { places[$0] }
  }

  /// How many fields a row has at least.
  var neededCount: Int { (places.compactMap { $0 }.max() ?? 0) + 1 }
}
