import ScrollTraceLayout
import ScrollTraceModel

/// Writes the parts of a trace as lines of JSON.
struct NDJSONWriter {
  let trace: Trace
  var output: ExportOutput
  var leftOut = ExportOmissions()
  private var names: QuotedNames
  let threads: LineThreads
  private var commits: CommitSpans
  private let item: StringID?
  private let counterCategory: StringID?
  /// The number of counters with each name.
  private var counterCounts: [StringID: Int] = [:]
  /// The number of counters in lines with each name.
  private var counterNames: [String: Int] = [:]

  /// Creates a writer of `trace`.
  init(_ trace: Trace, _ output: ExportOutput) {
    self.trace = trace
    self.output = output
    names = QuotedNames(trace)
    threads = LineThreads(trace)
    commits = CommitSpans(trace)
    item = trace.strings.firstID(of: Vocabulary.Key.item.description)
    counterCategory = trace.strings.firstID(of: Vocabulary.Category.counter.description)
    for counter in trace.counters {
      counterCounts[trace.labels[counter.label].name, default: 0] += 1
    }
  }

  /// Writes everything that lines can represent, and counts the rest.
  mutating func writeAll() {
    output.append(#"{"scrolltrace":"ndjson/1","unit":"ns""#)
    add("begin", trace.range.start)
    add("end", trace.range.end)
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
    for surface in trace.surfaces {
      for index in 0..<surface.frames.count { write(surface.frames[index], of: surface.name) }
      for hitch in surface.listedHitches { write(hitch, of: surface.name) }
    }
    for (id, track) in trace.numberedTracks { write(track.spans, on: id) }
    for span in trace.openSpans { write(span) }
    for mark in trace.marks { write(mark) }
    for counter in trace.counters { write(counter) }
    writeThreadTimes()
    leftOut.add(.asyncSpan, trace.asyncSpans.count)
    leftOut.add(.flowPoint, trace.flows.count)
    leftOut.add(.loss, trace.losses.count)
    leftOut.add(.aggregate, trace.aggregates.count)
    leftOut.add(.notice, trace.notices.count { $0.isOfSource })
    leftOut.add(.changedName, threads.changedCount)
  }

  // MARK: - Threads and surfaces

  private mutating func writeThread(_ id: TrackID, _ track: Track) {
    guard let name = threads[id] else { return leftOut.add(.thread) }
    output.append("{\"thread\":")
    output.appendJSON(name)
    output.append(",\"id\":\(track.systemID),\"main\":\(track.isMain)")
    output.append(track.isCompletelyRecorded ? ",\"complete\":true}\n" : "}\n")
  }

  private mutating func writeSurface(_ surface: Surface) {
    output.append("{\"surface\":")
    output.appendJSON(surface.name)
    output.append(",\"basis\":\"\(surface.basis.rawValue)\"")
    if surface.presentationTolerance > .zero {
      output.append(",\"tolerance\":\(surface.presentationTolerance.nanoseconds)")
    }
    if surface.timesLieOnRefreshGrid { output.append(",\"grid\":true") }
    if surface.numbersEveryFrame { output.append(",\"numbered\":true") }
    if surface.isDisplayStream { output.append(",\"display\":true") }
    output.append("}\n")
  }

  private mutating func write(_ frame: Frame, of surface: String) {
    output.append("{\"frame\":\(frame.id),\"surface\":")
    output.appendJSON(surface)
    add("begin", frame.start)
    add("commitStart", frame.commitStart)
    add("commitEnd", frame.commitEnd)
    add("deadline", frame.deadline)
    add("target", frame.target)
    add("presented", frame.presented)
    add("interval", frame.refreshInterval.map { .zero + $0 })
    if let word = frame.outcomeWord { output.append(",\"outcome\":\"\(word)\"") }
    if let thread = frame.track.flatMap({ threads[$0] }) {
      output.append(",\"thread\":")
      output.appendJSON(thread)
    }
    if let label = frame.sourceLabel {
      output.append(",\"label\":")
      output.append(names[label])
    }
    if frame.commitEnd != nil, !commits.take(frame, of: surface) {
      output.append(",\"commitSpan\":false")
    }
    output.append("}\n")
  }

  private mutating func write(_ hitch: ListedHitch, of surface: String) {
    output.append("{\"hitch\":")
    output.append(hitch.sourceLabel.map { names[$0] } ?? Array("\"\"".utf8))
    output.append(",\"surface\":")
    output.appendJSON(surface)
    add("begin", hitch.start)
    output.append(",\"duration\":\(hitch.length.nanoseconds)")
    add("interval", hitch.refreshInterval.map { .zero + $0 })
    output.append("}\n")
  }

  // MARK: - Spans, marks, samples

  private mutating func write(_ spans: SpanColumns, on track: TrackID) {
    guard let thread = threads[track] else { return leftOut.add(.span, spans.count) }
    let suffix = Array(",\"thread\":".utf8) + ExportOutput.quoted(thread)
    for index in 0..<spans.count {
      let span = spans[index]
      let label = trace.labels[span.label]
      if commits.isTold(span, label, on: track) { continue }
      begin("span", label)
      output.append(suffix)
      add("begin", span.range.start)
      add("end", span.range.end)
      add(span.arguments)
      output.append("}\n")
      guard !output.hasFailed else { return }
    }
  }

  private mutating func write(_ span: OpenSpan) {
    guard let thread = threads[span.track] else { return leftOut.add(.openSpan) }
    begin("span", trace.labels[span.label])
    output.append(",\"thread\":")
    output.appendJSON(thread)
    add("begin", span.since)
    if let item = span.item {
      output.append(",\"item\":")
      output.appendJSON(item, &names)
    }
    output.append("}\n")
  }

  private mutating func write(_ mark: Mark) {
    guard let thread = threads[mark.track] else { return leftOut.add(.mark) }
    begin("mark", trace.labels[mark.label])
    output.append(",\"thread\":")
    output.appendJSON(thread)
    add("at", mark.time)
    add(mark.arguments)
    output.append("}\n")
  }

  private mutating func write(_ counter: Counter) {
    let label = trace.labels[counter.label]
    let plain = trace.strings[label.name]
    let name = name(of: counter, label)
    if name != plain || label.category != counterCategory { leftOut.add(.changedName) }
    let prefix = Array("{\"counter\":".utf8) + ExportOutput.quoted(name)
    for (time, value) in zip(counter.times, counter.values) {
      guard value.isFinite else {
        leftOut.add(.sample)
        continue
      }
      output.append(prefix)
      output.append(",\"value\":\(value),\"at\":\(time)}\n")
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

  private mutating func begin(_ kind: StaticString, _ label: Label) {
    output.append("{\"\(kind)\":")
    output.append(names[label.name])
    output.append(",\"category\":")
    output.append(names[label.category])
  }

  // MARK: - Interactions and states

  private mutating func write(_ interaction: Interaction) {
    output.append("{\"interaction\":")
    output.appendJSON(interaction.kind)
    if !interaction.name.isEmpty {
      output.append(",\"name\":")
      output.appendJSON(interaction.name)
    }
    add("begin", interaction.start)
    add("end", interaction.end)
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
    add("at", change.time)
    output.append("}\n")
  }

  // MARK: - Members

  private mutating func add(_ key: StaticString, _ time: Timestamp?) {
    if let time { output.append(",\"\(key)\":\(time.nanoseconds)") }
  }

  private mutating func add(_ list: ArgumentListID) {
    guard list != .none else { return }
    var hasItem = false
    for argument in trace.arguments[list] {
      let isItem = argument.key == item && !hasItem && argument.value != .null
      hasItem = hasItem || isItem
      let key = trace.strings[argument.key]
      if isItem || !LineArgument.needsPrefix(key) {
        output.append(UInt8(ascii: ","))
        output.append(names[argument.key])
      } else {
        output.append(",")
        output.appendJSON(LineArgument.prefix + key)
      }
      output.append(UInt8(ascii: ":"))
      output.appendJSON(argument.value, &names)
    }
  }
}
