import ScrollTraceLayout
import ScrollTraceModel

/// Writes the parts of a trace as lines of JSON.
struct NDJSONWriter: ~Copyable {
  let trace: Trace
  var output: ExportOutput
  private(set) var leftOut = ExportOmissions()
  /// The names as JSON strings.
  private var names: WrittenTexts
  /// The keys of arguments, up to their values.
  private var keys: WrittenTexts
  /// The names and categories of labels.
  private var labels: WrittenTexts
  /// The names of threads in lines as JSON strings, or `nil` for threads that lines do not contain.
  let threads: [[UInt8]?]
  private let changedThreadCount: Int
  private var commits: CommitSpans
  private let item: StringID?
  private let counterCategory: StringID?
  /// The number of counters with each name.
  private var counterCounts: [StringID: Int] = [:]
  /// The number of counters in lines with each name.
  private var counterNames: [String: Int] = [:]

  /// Creates a writer of `trace`.
  init(_ trace: Trace, _ output: consuming ExportOutput) {
    self.trace = trace
    self.output = output
    names = WrittenTexts(trace.strings, ExportOutput.quoted)
    keys = WrittenTexts(trace.strings) {
      Array(",".utf8) + ExportOutput.quoted(LineArgument.key($0)) + Array(":".utf8)
    }
    labels = WrittenTexts(trace) { category, name in
      ExportOutput.quoted(name) + Array(",\"category\":".utf8) + ExportOutput.quoted(category)
    }
    let threads = LineThreads(trace)
    self.threads = threads.names.map { $0.map(ExportOutput.quoted) }
    changedThreadCount = threads.changedCount
    commits = CommitSpans(trace)
    item = trace.strings.firstID(of: Vocabulary.Key.item.description)
    counterCategory = trace.strings.firstID(of: Vocabulary.Category.counter.description)
    for counter in trace.counters {
      counterCounts[trace.labels[counter.label].name, default: 0] += 1
    }
  }

  /// Hands the output back.
  consuming func finish() -> ExportOutput { output }

  /// Counts omitted objects.
  mutating func omit(_ kind: ExportOmissions.Kind, _ count: Int = 1) { leftOut.add(kind, count) }

  /// Writes everything that lines can represent, and counts the rest.
  mutating func writeAll() {
    output.append(#"{"scrolltrace":"ndjson/1","unit":"ns""#)
    add(",\"begin\":", trace.range.start)
    add(",\"end\":", trace.range.end)
    if let host = trace.processes.first(where: \.isHost), !host.name.isEmpty {
      output.append(",\"process\":")
      output.appendJSON(host.name)
    }
    if !trace.source.hasKnownLength { output.append(",\"tellsLength\":false") }
    output.append("}\n")
    for (id, track) in trace.numberedTracks { writeThread(id, track) }
    for surface in trace.surfaces { writeSurface(surface) }
    for interaction in trace.interactions { write(interaction) }
    for change in trace.states { write(change) }
    for surface in trace.surfaces { writeFrames(of: surface) }
    for (id, track) in trace.numberedTracks { write(track.spans, on: id) }
    for span in trace.openSpans { write(span) }
    for mark in trace.marks { write(mark) }
    for counter in trace.counters { write(counter) }
    writeThreadTimes()
    leftOut.add(.asyncSpan, trace.asyncSpans.count)
    leftOut.add(.flowPoint, trace.flows.count)
    leftOut.addFacts(about: trace)
    leftOut.add(.changedName, changedThreadCount)
  }

  // MARK: - Threads and surfaces

  private mutating func writeThread(_ id: TrackID, _ track: Track) {
    guard let name = threads[id.index] else { return leftOut.add(.thread) }
    output.append("{\"thread\":")
    output.append(name)
    output.append(",\"id\":")
    output.append(decimal: track.systemID)
    track.isMain ? output.append(",\"main\":true") : output.append(",\"main\":false")
    track.isCompletelyRecorded ? output.append(",\"complete\":true}\n") : output.append("}\n")
  }

  private mutating func writeSurface(_ surface: Surface) {
    output.append("{\"surface\":")
    output.appendJSON(surface.name)
    output.append(",\"basis\":")
    output.appendJSON(surface.basis.rawValue)
    if surface.presentationTolerance > .zero {
      output.append(",\"tolerance\":")
      output.append(decimal: surface.presentationTolerance.nanoseconds)
    }
    if surface.timesLieOnRefreshGrid { output.append(",\"grid\":true") }
    if surface.numbersEveryFrame { output.append(",\"numbered\":true") }
    if surface.isDisplayStream { output.append(",\"display\":true") }
    output.append("}\n")
  }

  private mutating func writeFrames(of surface: Surface) {
    let name = ExportOutput.quoted(surface.name)
    let id = trace.strings.firstID(of: surface.name)
    for index in 0..<surface.frames.count {
      write(surface.frames[index], of: name, id)
      guard !output.hasFailed else { return }
    }
    for hitch in surface.listedHitches { write(hitch, of: name) }
  }

  private mutating func write(_ frame: Frame, of surface: [UInt8], _ id: StringID?) {
    output.append("{\"frame\":")
    output.append(decimal: frame.id)
    output.append(",\"surface\":")
    output.append(surface)
    add(",\"begin\":", frame.start)
    add(",\"commitStart\":", frame.commitStart)
    add(",\"commitEnd\":", frame.commitEnd)
    add(",\"deadline\":", frame.deadline)
    add(",\"target\":", frame.target)
    add(",\"presented\":", frame.presented)
    add(",\"interval\":", frame.refreshInterval.map { .zero + $0 })
    if let word = frame.outcomeWord {
      output.append(",\"outcome\":\"")
      output.append(word)
      output.append("\"")
    }
    if let track = frame.track, let thread = threads[track.index] {
      output.append(",\"thread\":")
      output.append(thread)
    }
    if let label = frame.sourceLabel {
      output.append(",\"label\":")
      names.append(label, to: &output)
    }
    if frame.commitEnd != nil, !commits.take(frame, of: id) {
      output.append(",\"commitSpan\":false")
    }
    output.append("}\n")
  }

  private mutating func write(_ hitch: ListedHitch, of surface: [UInt8]) {
    output.append("{\"hitch\":")
    names.append(hitch.sourceLabel ?? .empty, to: &output)
    output.append(",\"surface\":")
    output.append(surface)
    add(",\"begin\":", hitch.start)
    output.append(",\"duration\":")
    output.append(decimal: hitch.length.nanoseconds)
    add(",\"interval\":", hitch.refreshInterval.map { .zero + $0 })
    output.append("}\n")
  }

  // MARK: - Spans, marks, samples

  private mutating func write(_ spans: SpanColumns, on track: TrackID) {
    guard let thread = threads[track.index] else { return leftOut.add(.span, spans.count) }
    let suffix = Array(",\"thread\":".utf8) + thread + Array(",\"begin\":".utf8)
    let (table, arguments) = (trace.labels, trace.arguments)
    for index in 0..<spans.count {
      let span = spans[index]
      if commits.isTold(span, table[span.label], on: track) { continue }
      output.append("{\"span\":")
      labels.append(span.label, to: &output)
      output.append(suffix)
      output.append(decimal: span.range.start.nanoseconds)
      output.append(",\"end\":")
      output.append(decimal: span.range.end.nanoseconds)
      if span.arguments != .none { add(span.arguments, of: arguments) }
      output.append("}\n")
      guard !output.hasFailed else { return }
    }
  }

  private mutating func write(_ span: OpenSpan) {
    guard let thread = threads[span.track.index] else { return leftOut.add(.openSpan) }
    output.append("{\"span\":")
    labels.append(span.label, to: &output)
    output.append(",\"thread\":")
    output.append(thread)
    add(",\"begin\":", span.since)
    if let item = span.item {
      output.append(",\"item\":")
      output.appendJSON(item, &names)
    }
    output.append("}\n")
  }

  private mutating func write(_ mark: Mark) {
    guard let thread = threads[mark.track.index] else { return leftOut.add(.mark) }
    output.append("{\"mark\":")
    labels.append(mark.label, to: &output)
    output.append(",\"thread\":")
    output.append(thread)
    add(",\"at\":", mark.time)
    add(mark.arguments, of: trace.arguments)
    output.append("}\n")
  }

  private mutating func write(_ counter: Counter) {
    let label = trace.labels[counter.label]
    let plain = trace.strings[label.name]
    let name = name(of: counter, label)
    if name != plain || label.category != counterCategory { leftOut.add(.changedName) }
    let prefix =
      Array("{\"counter\":".utf8) + ExportOutput.quoted(name) + Array(",\"value\":".utf8)
    for (time, value) in zip(counter.times, counter.values) {
      guard value.isFinite else {
        leftOut.add(.sample)
        continue
      }
      output.append(prefix)
      output.append(value)
      output.append(",\"at\":")
      output.append(decimal: time)
      output.append("}\n")
      guard !output.hasFailed else { return }
    }
  }

  /// Returns the name of a counter in lines, which identify counters by name only.
  private mutating func name(of counter: Counter, _ label: Label) -> String {
    var name = trace.strings[label.name]
    if counterCounts[label.name, default: 0] > 1 {
      let parts = [name, trace.strings[label.category], trace.strings[counter.series]]
      name = parts.joined(separator: "/") + "/\(counter.id)"
    }
    var unique = name
    while counterNames[unique] != nil {
      let number = counterNames[name, default: 1] + 1
      counterNames[name] = number
      unique = "\(name) (\(number))"
    }
    counterNames[unique] = 1
    return unique
  }

  // MARK: - Interactions and states

  private mutating func write(_ interaction: Interaction) {
    output.append("{\"interaction\":")
    output.appendJSON(interaction.kind)
    if !interaction.name.isEmpty {
      output.append(",\"name\":")
      output.appendJSON(interaction.name)
    }
    add(",\"begin\":", interaction.start)
    add(",\"end\":", interaction.end)
    if let surface = interaction.surface {
      output.append(",\"surface\":")
      output.appendJSON(trace.surfaces[surface.index].name)
    }
    output.append("}\n")
  }

  private mutating func write(_ change: StateChange) {
    output.append("{\"state\":")
    output.appendJSON(change.key)
    if let value = change.value {
      output.append(",\"value\":")
      output.appendJSON(value)
    }
    add(",\"at\":", change.time)
    output.append("}\n")
  }

  // MARK: - Members

  private mutating func add(_ key: StaticString, _ time: Timestamp?) {
    guard let time else { return }
    output.append(key)
    output.append(decimal: time.nanoseconds)
  }

  private mutating func add(_ list: ArgumentListID, of table: ArgumentTable) {
    var hasItem = false
    table.forEach(in: list) { argument in
      let isItem = argument.key == item && !hasItem && argument.value != .null
      hasItem = hasItem || isItem
      if isItem {
        output.append(UInt8(ascii: ","))
        names.append(argument.key, to: &output)
        output.append(UInt8(ascii: ":"))
      } else {
        keys.append(argument.key, to: &output)
      }
      output.appendJSON(argument.value, &names)
    }
  }
}
