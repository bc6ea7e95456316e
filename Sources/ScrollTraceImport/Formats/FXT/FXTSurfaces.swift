internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The records of surfaces: their frames, their hitches and what is said of themselves.
struct FXTSurfaces {
  /// The commit of a frame and its thread.
  typealias Commit = (start: Timestamp, end: Timestamp, track: TrackID)

  private var surfaces: [LabelID: SurfaceID] = [:]
  private var last: (label: LabelID, surface: SurfaceID)?
  /// The surface of the last frame, which numbers its frames.
  private var numbered: SurfaceID?

  /// Updates the frame of a record; returns `false` if the record does not identify it.
  mutating func updateFrame(
    _ label: FXTLabel, _ arguments: FXTArguments, commit: Commit? = nil, _ trace: inout FXTTrace
  ) -> Bool {
    guard let frame = Self.frame(arguments, commit: commit, &trace) else { return false }
    update(frame, of: label, at: arguments.offset, &trace)
    return true
  }

  /// Updates a frame by a record at `offset`.
  ///
  /// - Parameter growth: The ratio of the source's size to the part already read.
  mutating func update(
    _ frame: Frame, of label: FXTLabel, at offset: UInt64, growth: Double = 1,
    _ trace: inout FXTTrace
  ) {
    let surface = surface(of: label, &trace)
    trace.builder.offset = offset
    trace.builder.updateFrame(frame, of: surface, growth: growth)
    trace.builder.offset = nil
    if numbered != surface { trace.builder[surface].numbersEveryFrame = true }
    numbered = surface
  }

  /// The frame of a record, or `nil`, which is counted, if the record does not identify it.
  private static func frame(
    _ arguments: FXTArguments, commit: Commit?, _ trace: inout FXTTrace
  ) -> Frame? {
    guard let id = arguments.value(of: .frame, trace.vocabulary)?.unsigned else {
      trace.lose(.invalidValue, at: arguments.offset)
      return nil
    }
    var frame = Frame(id: id)
    frame.commitStart = commit?.start
    frame.commitEnd = commit?.end
    frame.track = commit?.track
    for argument in arguments.list {
      let key = trace.vocabulary.key(argument.key)
      if !frame.set(key, to: arguments.time(argument.value, &trace)), key == .outcome {
        let said = trace.vocabulary.outcome(argument.value)
        if said == nil { trace.lose(.invalidValue, at: arguments.offset) }
        (frame.outcome, frame.wasOnTime) = said ?? (.unknown, false)
      }
    }
    return frame
  }

  /// Reads an instant about the accuracy of a surface's times.
  mutating func readSurface(_ event: FXTEvent, _ trace: inout FXTTrace) {
    let surface = surface(of: event.label, &trace)
    let arguments = event.arguments
    for argument in arguments.list {
      switch (trace.vocabulary.key(argument.key), argument.value) {
      case (.tolerance, let value):
        if let length = arguments.count(value, &trace) {
          trace.builder.setPresentationTolerance(TimeSpan(nanoseconds: length), of: surface)
        }
      case (.grid, let value):
        if arguments.flag(value, &trace) { trace.builder[surface].timesLieOnRefreshGrid = true }
      case (.hitchList, let value):
        if arguments.flag(value, &trace) { trace.builder.setBasis(.hitchList, of: surface) }
      default: break
      }
    }
  }

  /// Reads a hitch listed by the source; returns `false` if it has no duration.
  mutating func readHitch(_ event: FXTEvent, _ trace: inout FXTTrace) -> Bool {
    var length: Timestamp?
    var refreshInterval: TimeSpan?
    var label: StringID?
    for argument in event.arguments.list {
      switch trace.vocabulary.key(argument.key) {
      case .duration: length = event.arguments.time(argument.value, &trace)
      case .interval:
        refreshInterval = event.arguments.time(argument.value, &trace).map { $0 - .zero }
      case .label: if case .string(let name) = argument.value { label = name }
      default: break
      }
    }
    guard let length else { return false }
    trace.builder.addListedHitch(
      ListedHitch(
        start: event.time, length: length - .zero, refreshInterval: refreshInterval,
        sourceLabel: label),
      of: surface(of: event.label, &trace))
    return true
  }

  private mutating func surface(of label: FXTLabel, _ trace: inout FXTTrace) -> SurfaceID {
    if let last, last.label == label.id { return last.surface }
    let surface = surfaces[label.id] ?? trace.builder.surface(trace.name(of: label))
    surfaces[label.id] = surface
    last = (label.id, surface)
    return surface
  }
}
