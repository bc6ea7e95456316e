import ScrollTraceLayout
import ScrollTraceModel

/// A row of a `framestats` table.
struct GfxinfoFrame {
  enum Kind {
    case frame
    /// Android flags the row to be ignored, such as a window's first frame.
    case flagged
    /// The frame was unfinished at the time of the dump.
    case unfinished
    /// Its times contradict each other: they were written during the dump.
    case torn
  }

  let kind: Kind
  /// The frame, as far as it is valid.
  let frame: Frame
  /// The starts of its phases by column, `nil` for missing ones.
  private let times: [GfxinfoColumns.Column: Int64]

  /// The maximum duration of a frame; longer ones combine times of two frames.
  private static let longest: Int64 = 100_000_000_000

  /// Creates the frame of a row; `number` is used if the row has no number.
  init(_ row: borrowing TableRow, _ columns: GfxinfoColumns, number: UInt64) throws(LineFault) {
    var times: [GfxinfoColumns.Column: Int64] = [:]
    for column in GfxinfoColumns.Column.allCases {
      switch row.number(columns[column], timesTenTo: 0) {
      case .missing: break
      case .value(let value): times[column] = value
      case .invalid: throw LineFault("\(column.rawValue) is not a whole number", at: 0)
      }
    }
    self.times = times
    let begin = times[.intendedVsync] ?? 0
    let end = times[.completed] ?? 0
    let length = end.minus(begin) ?? 0
    var frame = Frame(id: times[.frame].flatMap { $0 > 0 ? UInt64($0) : nil } ?? number)
    if times[.flags] != 0 {
      kind = .flagged
    } else if begin > 0, end == 0 {
      kind = .unfinished
    } else if begin < 0 || length <= 0 || length >= Self.longest {
      kind = .torn
    } else {
      kind = .frame
      func instant(_ column: GfxinfoColumns.Column) -> Timestamp? {
        Self.instant(times[column], since: begin)
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
      // Some versions swap the names of these two, but never the values.
      let intervals = [times[.refreshInterval], times[.startTime]].compactMap { $0 }
      frame.refreshInterval = intervals.first { 0 < $0 && $0 < 1_000_000_000 }
        .map { TimeSpan(nanoseconds: $0) }
    }
    self.frame = frame
  }

  /// A phase between two columns.
  struct Phase {
    let name: String
    let start: Timestamp
    let end: Timestamp
  }

  /// The main thread's work for the frame.
  var mainPhases: [Phase] {
    [
      phase("handle input", .handleInputStart, .animationStart),
      phase("animation", .animationStart, .traversalsStart),
      phase("traversals", .traversalsStart, .drawStart), phase("draw", .drawStart, .syncQueued),
    ].compactMap { $0 }
  }

  /// The time the main thread waited for the render thread to copy its drawing commands.
  var wait: Phase? { phase("sync", .syncQueued, .issueDrawStart) }

  /// The render thread's work for the frame.
  var renderPhases: [Phase] {
    let swapEnd: GfxinfoColumns.Column =
      instant(.swapCompleted) == nil ? .completed : .swapCompleted
    return [
      phase("sync", .syncStart, .issueDrawStart),
      phase("issue draw commands", .issueDrawStart, .swapBuffers),
      phase("swap buffers", .swapBuffers, swapEnd),
    ].compactMap { $0 }
  }

  /// The GPU's work for the frame, after all of it was handed over.
  var gpuPhase: Phase? {
    phase("render", instant(.swapCompleted) == nil ? .swapBuffers : .swapCompleted, .gpuCompleted)
  }

  private func phase(
    _ name: String, _ from: GfxinfoColumns.Column, _ to: GfxinfoColumns.Column
  ) -> Phase? {
    guard let begin = instant(from), let end = instant(to), begin < end else { return nil }
    return Phase(name: name, start: begin, end: end)
  }

  private func instant(_ column: GfxinfoColumns.Column) -> Timestamp? {
    frame.start.flatMap { Self.instant(times[column], since: $0.nanoseconds) }
  }

  private static func instant(_ time: Int64?, since begin: Int64) -> Timestamp? {
    guard let time, time > 0, time >= begin, time - begin < longest else { return nil }
    return Timestamp(nanoseconds: time)
  }
}

/// The columns of a `framestats` table, which differ between versions of Android.
struct GfxinfoColumns {
  /// The meaning of a column; times are nanoseconds since the machine started.
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
    case gpuCompleted = "GpuCompleted"
    case presented = "DisplayPresentTime"
  }

  private var indices: [Column: Int] = [:]

  /// Creates the columns in `line`, or returns `nil` if it is not a header.
  init?(_ line: UnsafeRawBufferPointer) {
    var row = TableRow()
    guard line.starts(with: "Flags,".utf8), row.read(line, delimiter: UInt8(ascii: ",")) else {
      return nil
    }
    for index in 0..<row.count where row.bytes(index).count < 64 {
      guard let column = Column(rawValue: row.text(index)), indices[column] == nil else { continue }
      indices[column] = index
    }
    guard self[.intendedVsync] != nil, self[.completed] != nil else { return nil }
  }

  subscript(column: Column) -> Int? { indices[column] }

  /// The minimum number of fields in a row.
  var neededCount: Int { (indices.values.max() ?? 0) + 1 }
}

/// Collects the frames of windows and turns each window into a surface.
struct GfxinfoSurfaces {
  /// The process and window of a table of frames.
  struct WindowID: Hashable {
    let process: UInt64
    let processName: String
    let window: String
  }

  /// The start and end of a frame, which identify it in another dump.
  private struct Times: Hashable {
    let start: Timestamp?
    let end: Timestamp?
  }

  private struct Window {
    let id: WindowID
    let main: TrackID
    let render: TrackID
    let gpu: TrackID
    var frames: [Frame] = []
    var known: Set<Times> = []
  }

  /// More than any machine displays.
  private static let maximumWindowCount = 1024

  private var windows: [Window] = []
  private var indices: [WindowID: Int] = [:]
  private(set) var frameCount = 0

  /// Adds a frame; returns `false` if it was already added, because consecutive dumps overlap.
  mutating func add(_ frame: GfxinfoFrame, of id: WindowID, to builder: inout TraceBuilder) -> Bool
  {
    let index = indices[id] ?? windows.count
    if index == windows.count {
      guard index < Self.maximumWindowCount else {
        builder.countLoss(.limitReached)
        return true
      }
      windows.append(Self.window(id, in: &builder))
      indices[id] = index
    }
    let times = Times(start: frame.frame.start, end: frame.frame.commitEnd)
    guard windows[index].known.insert(times).inserted else { return false }
    let (main, render) = (windows[index].main, windows[index].render)
    var update = frame.frame
    update.track = main
    windows[index].frames.append(update)
    frameCount += 1
    func add(_ phase: GfxinfoFrame.Phase, _ category: StaticString, on track: TrackID) {
      let label = builder.label(
        category: builder.string("\(category)"), name: builder.string(phase.name))
      builder.addSpan(on: track, from: phase.start, to: phase.end, label: label)
    }
    for phase in frame.mainPhases { add(phase, Vocabulary.Category.phase, on: main) }
    if let wait = frame.wait { add(wait, Vocabulary.Category.waiting, on: main) }
    for phase in frame.renderPhases { add(phase, Vocabulary.Category.phase, on: render) }
    if let phase = frame.gpuPhase { add(phase, Vocabulary.Category.phase, on: windows[index].gpu) }
    return true
  }

  /// Adds all surfaces to `builder`, after the names of all windows are known.
  func finish(in builder: inout TraceBuilder) {
    for (window, name) in zip(windows, surfaceNames) {
      let surface = builder.surface(name)
      for frame in window.frames { builder.updateFrame(frame, of: surface) }
    }
  }

  /// Returns a window without frames, and its threads. No thread is marked as the main one: of
  /// several processes the one with the maximum number of frames is the host.
  private static func window(_ id: WindowID, in builder: inout TraceBuilder) -> Window {
    let process = builder.process(id.process)
    builder.setName(id.processName, of: process)
    // On Linux, and therefore Android, the main thread has the number of its process.
    let main = builder.track(id.process, of: process)
    builder.setName("main", of: main)
    // The dump does not contain the render thread's number; no real thread can have this one.
    let render = builder.track(id.process &+ 1 << 30, of: process)
    builder.setName("RenderThread", of: render)
    let gpu = builder.track(id.process &+ 1 << 31, of: process)
    builder.setName("GPU", of: gpu)
    return Window(id: id, main: main, render: render, gpu: gpu)
  }

  /// The windows' names, without the parts that change between runs if they are unique without
  /// them.
  private var surfaceNames: [String] {
    let short = windows.map { window in
      let id = window.id
      guard !id.window.isEmpty else { return id.processName.isEmpty ? "window" : id.processName }
      let parts = id.window.split(separator: "/", omittingEmptySubsequences: false)
      return parts.count > 1 && parts[parts.count - 1].hasPrefix("android.view.ViewRootImpl@")
        ? parts.dropLast().joined(separator: "/") : id.window
    }
    let counts = short.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return zip(short, windows).map { name, window in
      guard counts[name, default: 0] > 1 else { return name }
      return "\(window.id.window.isEmpty ? name : window.id.window)" + " (\(window.id.process))"
    }
  }
}
