import ScrollTraceModel

/// Writes the frames of a trace as rows.
struct CSVWriter: ~Copyable {
  private let trace: Trace
  private var output: ExportOutput
  private(set) var leftOut = ExportOmissions()
  private var commits: CommitSpans
  /// The number of spans that rows contain.
  private var commitCount = 0
  /// The names as fields.
  private var names: WrittenTexts
  /// The names of threads as fields, or `nil` for threads that rows do not contain.
  private let threads: [Field?]
  private let changedThreadCount: Int
  /// Whether the name of a label changes as a field.
  private var changesLabel: [StringID: Bool] = [:]

  /// A text as a field.
  private struct Field {
    let bytes: [UInt8]
    let isChanged: Bool

    init(_ text: String) {
      bytes = CSVField.bytes(text, replacing: CSVWriter.replaced)
      isChanged = CSVWriter.changes(text)
    }
  }

  /// Creates a writer of `trace`.
  init(_ trace: Trace, _ output: consuming ExportOutput) {
    self.trace = trace
    self.output = output
    commits = CommitSpans(trace)
    names = WrittenTexts(trace.strings) { CSVField.bytes($0, replacing: Self.replaced) }
    let threads = LineThreads(trace)
    self.threads = threads.names.map { $0.map(Field.init) }
    changedThreadCount = threads.changedCount
  }

  /// Hands the output back.
  consuming func finish() -> ExportOutput { output }

  /// Writes the header and all frames.
  mutating func writeAll() {
    output.append("frame,surface,begin,commitStart,commitEnd,deadline,target,presented,interval,")
    output.append("outcome,thread,label,commitSpan\n")
    for surface in trace.surfaces {
      let name = Field(surface.name)
      if name.isChanged { leftOut.add(.changedName) }
      let id = trace.strings.firstID(of: surface.name)
      for index in 0..<surface.frames.count {
        write(surface.frames[index], of: name, id)
        guard !output.hasFailed else { return }
      }
    }
    leftOut.add(.changedName, changedThreadCount)
    countRest()
  }

  private mutating func write(_ frame: Frame, of surface: Field, _ id: StringID?) {
    output.append(decimal: frame.id)
    output.append(",")
    output.append(surface.bytes)
    add(frame.start)
    add(frame.commitStart)
    add(frame.commitEnd)
    add(frame.deadline)
    add(frame.target)
    add(frame.presented)
    add(frame.refreshInterval.map { .zero + $0 })
    output.append(",")
    if let word = frame.outcomeWord { output.append(word) }
    output.append(",")
    if let track = frame.track {
      if let thread = threads[track.index], !thread.bytes.isEmpty {
        output.append(thread.bytes)
        if thread.isChanged { leftOut.add(.changedName) }
      } else {
        leftOut.add(.frameThread)
      }
    }
    output.append(",")
    if let label = frame.sourceLabel {
      names.append(label, to: &output)
      if changes(label) { leftOut.add(.changedName) }
    }
    let isTold = commits.take(frame, of: id)
    if isTold { commitCount += 1 }
    frame.commitEnd != nil && !isTold ? output.append(",false\n") : output.append(",\n")
  }

  private mutating func add(_ time: Timestamp?) {
    output.append(",")
    if let time { output.append(decimal: time.nanoseconds) }
  }

  /// Counts what frames do not contain.
  private mutating func countRest() {
    leftOut.add(.span, trace.spanCount - commitCount)
    leftOut.add(.openSpan, trace.openSpans.count)
    leftOut.add(.asyncSpan, trace.asyncSpans.count)
    leftOut.add(.mark, trace.marks.count)
    leftOut.add(.sample, trace.counters.reduce(0) { $0 + $1.times.count })
    leftOut.add(.threadTime, trace.tracks.reduce(0) { $0 + $1.threadTimes.count })
    leftOut.add(.threadState, trace.tracks.reduce(0) { $0 + $1.threadStates.count })
    leftOut.add(.flowPoint, trace.flows.count)
    leftOut.addEvents(for: trace)
    leftOut.addFacts(about: trace)
  }

  // MARK: - Fields

  /// The bytes that become spaces: zero and line breaks.
  private static let replaced: [UInt8] = [0, 0x0A, 0x0D]

  /// Returns whether a text changes as a field.
  private static func changes(_ text: String) -> Bool {
    text.utf8.contains(where: replaced.contains)
  }

  private mutating func changes(_ label: StringID) -> Bool {
    if let known = changesLabel[label] { return known }
    let changes = Self.changes(trace.strings[label])
    changesLabel[label] = changes
    return changes
  }
}
