internal import ScrollTraceLayout
import ScrollTraceKit
import ScrollTracePlatform

/// What is in a trace file, as text and as JSON.
struct TraceInspection {
  /// The path in the command line.
  let path: String
  let trace: Trace
  /// The structure of the file, or `nil` if its format has no records.
  let inventory: FXTInventory?
  let sink: EscapingContext

  private var messages: Messages { Messages(start: trace.range.start) }

  private static let width = 80
  private static let maximumThreads = 20
  private static let maximumDamages = 20

  /// Whether the trace lost data or the file is damaged.
  var hasLosses: Bool { !trace.losses.isEmpty || inventory.map { $0.damageCount > 0 } ?? false }

  var text: String {
    var lines = wrapped(header, indent: 2)
    if let session = inventory?.session { lines += [""] + text(of: session) }
    if let inventory { lines += [""] + chunkText(inventory) + threadText(inventory) }
    lines += [""] + contentText
    if let inventory { lines += recordText(inventory) }
    lines += openText + damageText
    return lines.joined(separator: "\n") + "\n"
  }

  private var header: String {
    let size = trace.source.byteCount.map { ", " + Quantity.bytes($0) } ?? ""
    let kind =
      inventory.map { $0.isScrollTraceRecording ? "recording (FXT)" : "FXT of another tool" }
      ?? trace.source.format
    let length =
      trace.source.hasKnownLength ? Quantity.length(trace.range.length) : "length unknown"
    return "\(sink.escape(path)): \(kind)\(size), \(length)"
  }

  private func text(of session: FXTSession) -> [String] {
    let clocks = [
      "host-provided", "monotonic raw (uptime)", "monotonic", "boot time (continuous)",
    ]
    let clock = clocks.indices.contains(Int(session.clock)) ? clocks[Int(session.clock)] : "?"
    var lines = [
      field("Session", session.identifier + ", process \(session.process)"),
      field(
        "Clock",
        clock
          + (session.counterFrequency > 0
            ? ", CPU counter at \(session.counterFrequency / 1_000_000) MHz" : "")),
    ]
    if let opened = session.opened { lines.append(field("Opened", Self.wall(opened))) }
    if session.isClosed {
      let isCut = inventory?.missingBytes ?? 0 > 0
      let time = session.closed.map(Self.wall) ?? "yes"
      lines.append(field("Finished", time + (isCut ? ", but cut later" : "")))
    } else {
      lines.append(field("Finished", "no: the app ended unexpectedly or is still running"))
    }
    if session.ringChunks > 0 {
      let size = Quantity.bytes(
        session.ringChunks.saturatingMultiply(UInt64(RecordingLayout.chunkSize)))
      let used = Quantity.count(Int(clamping: session.chunksOverwritten), "chunk")
      lines.append(field("Ring", "at least \(size); \(used) overwritten"))
    }
    if let weight = session.weight {
      lines.append(
        field("Weight", "stands for " + Quantity.count(Int(clamping: weight), "recording")))
    }
    if let reason = session.stopReason { lines.append(field("Stopped", reason)) }
    let drops = session.drops.filter { $0.count > 0 }
    let dropped = drops.map { "\($0.count) \($0.reason)" }.joined(separator: ", ")
    lines.append(field("Dropped", drops.isEmpty ? "no records" : dropped))
    return lines
  }

  private func chunkText(_ inventory: FXTInventory) -> [String] {
    guard inventory.isScrollTraceRecording else { return [] }
    let seals = [
      (FXTSealState.valid, "sealed"), (.missing, "not sealed"),
      (.wrong, "with a checksum mismatch"),
    ].compactMap { state, words in inventory.seals[state].map { "\($0) \(words)" } }
    var text = "\(inventory.usedChunks) used"
    if !seals.isEmpty { text += ": " + seals.joined(separator: ", ") }
    if inventory.stackChunks > 0 { text += "; \(inventory.stackChunks) for open spans" }
    if inventory.durableChunks > 0 { text += "; \(inventory.durableChunks) never overwritten" }
    if inventory.unusedChunks > 0 { text += "; \(inventory.unusedChunks) never used" }
    return wrappedAtCommas(field("Chunks", text)) + [field("Strings", "\(inventory.stringCount)")]
  }

  private func threadText(_ inventory: FXTInventory) -> [String] {
    guard !inventory.threads.isEmpty else { return [] }
    let isRing = inventory.session.map { $0.chunksOverwritten > 0 } ?? false
    let threads = inventory.threads.sorted { $0.key < $1.key }.prefix(Self.maximumThreads)
    let missing = threads.map { isRing ? 0 : $0.value.missingChunks }
    let listsMissing = missing.contains { $0 > 0 }
    var rows: [[String]] = [
      ["RECORDS", "CHUNKS"] + (listsMissing ? ["MISSING"] : []) + ["DROPS", "FROM", "TO"]
    ]
    for ((_, count), missing) in zip(threads, missing) {
      rows.append(
        ["\(count.records)", "\(count.chunks)"] + (listsMissing ? ["\(missing)"] : [])
          + ["\(count.drops)", instant(count.first), instant(count.last)])
    }
    let figures = rightAligned(rows)
    let room = max(8, min(34, Self.width - 2 - (figures.first.map { ColumnWidth.of($0) } ?? 0)))
    let labels = ["THREAD"] + threads.map { label(of: $0.key, $0.value, within: room) }
    let width = labels.map { ColumnWidth.of($0) }.max() ?? 0
    let lines = zip(labels, figures).map { label, figures in
      "  " + ColumnWidth.padded(label, to: width) + figures
    }
    return [""] + lines
      + rest(inventory.threads.count - Self.maximumThreads, isInJSON: true)
  }

  /// Returns a thread's name and number in at most `columns`.
  private func label(
    of thread: FXTInventory.Thread, _ count: FXTInventory.ThreadCount, within columns: Int
  ) -> String {
    let name = count.name.isEmpty ? "thread" : sink.escape(count.name)
    let id = " (\(count.isMain ? "main, " : "")id \(thread.id))"
    let short = ColumnWidth.clip(name, to: max(3, columns - id.count), ellipsis: "...")
    return ColumnWidth.clip(short + id, to: columns, ellipsis: "...")
  }

  /// Returns the rows of a table of right-aligned columns, each after two spaces.
  private func rightAligned(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in
      rows.map { ColumnWidth.of($0[column]) }.max() ?? 0
    }
    return rows.map { cells in
      zip(cells, widths).map { ColumnWidth.rightAligned($0, to: 2 + $1) }.joined()
    }
  }

  /// Returns the time relative to the trace's start.
  private func instant(_ ticks: UInt64?) -> String {
    guard let ticks, let number = Int64(exactly: ticks), let time = Timestamp(nanoseconds: number)
    else { return "-" }
    return Quantity.instant(time - trace.range.start)
  }

  /// Plurals other than the singular with an s.
  private static let plurals = [
    "process": "processes", "listed hitch": "listed hitches",
    "source metric": "source metrics",
  ]

  private var contentText: [String] {
    var parts = facts.filter { $0.count > 0 }.map {
      Quantity.count($0.count, $0.one, Self.plurals[$0.one])
    }
    if parts.isEmpty { parts = ["no records"] }
    let losses = trace.losses.flatMap {
      wrapped("Lost", sink.escape(messages.text(of: $0)))
    }
    let notices = trace.notices.flatMap {
      wrapped("Notice", sink.escape(messages.text(of: .trace($0))))
    }
    return wrappedAtCommas(field("Content", parts.joined(separator: ", ")))
      + sampleText + (losses.isEmpty ? [field("Lost", "no data")] : losses) + notices
  }

  private var sampleText: [String] {
    let counts = sampleCounts
    guard !counts.isEmpty else { return [] }
    let parts = counts.prefix(Self.maximumThreads).map { thread, count in
      "\(count) on " + ColumnWidth.clip(sink.escape(thread), to: 34, ellipsis: "...")
    }
    return wrapped("Samples", parts.joined(separator: ", "))
      + rest(counts.count - Self.maximumThreads, isInJSON: true)
  }

  /// The threads with sampled stacks, in the trace's order, each with their number.
  private var sampleCounts: [(thread: String, count: Int)] {
    var counts: [Int: Int] = [:]
    for series in trace.samples where series.count > 0 {
      counts[series.track.index, default: 0] += series.count
    }
    return counts.sorted { $0.key < $1.key }.map { index, count in
      (thread: trace.tracks[index].displayName, count: count)
    }
  }

  private func recordText(_ inventory: FXTInventory) -> [String] {
    guard !inventory.kinds.isEmpty else { return [] }
    var lines = ["", "      RECORDS         BYTES  KIND"]
    let maximum = 40
    for (kind, count) in sorted(inventory).prefix(maximum) {
      let category = kind.category.isEmpty ? "" : "  " + sink.escape(kind.category)
      lines.append(
        right(count.records, 13) + right(count.bytes, 14) + "  " + kind.kind + category)
    }
    return lines + rest(inventory.kinds.count - maximum, isInJSON: true)
  }

  private var openText: [String] {
    guard !trace.openSpans.isEmpty else { return [] }
    var lines = ["", "  OPEN SPANS AT THE END"]
    let maximum = 20
    for span in trace.openSpans.prefix(maximum) {
      let category = sink.escape(trace.category(of: span.label))
      let name = sink.escape(trace.name(of: span.label))
      let since = Quantity.instant(span.since - trace.range.start)
      lines += wrapped(
        "  \(name) (\(category)) on \(sink.escape(trace.displayName(of: span.track)))"
          + ", started at \(since)", indent: 4)
    }
    return lines + rest(trace.openSpans.count - maximum)
  }

  private var damageText: [String] {
    guard let inventory else { return [] }
    var lines: [String] = []
    if inventory.missingBytes > 0 {
      lines += [
        "",
        "  CUT: the last \(Quantity.bytes(inventory.missingBytes)) of the finished recording are"
          + " missing;",
        "  copy the file again",
      ]
    }
    guard inventory.damageCount > 0 else { return lines }
    lines += [
      "",
      "  DAMAGE: \(Quantity.bytes(inventory.damagedBytes)) in"
        + " \(Quantity.count(inventory.damageCount, "range"))",
    ]
    lines += inventory.damage.prefix(Self.maximumDamages).map {
      "  byte \($0.offset): \(Quantity.bytes($0.byteCount)), \($0.reason.rawValue)"
    }
    return lines + rest(inventory.damageCount - Self.maximumDamages)
  }

  /// The line below a list without `hidden` further entries.
  private func rest(_ hidden: Int, isInJSON: Bool = false) -> [String] {
    Quantity.more(hidden, isInJSON: isInJSON).map { ["  " + $0] } ?? []
  }

  /// A kind of content: singular, JSON key and number.
  private typealias Fact = (one: String, name: String, count: Int)

  private var facts: [Fact] {
    let frames = trace.surfaces.reduce(0) { $0 + $1.frames.count }
    let listedHitches = trace.surfaces.reduce(0) { $0 + $1.listedHitches.count }
    let facts: [Fact] = [
      ("process", "processes", trace.processes.count), ("track", "tracks", trace.tracks.count),
      ("frame", "frames", frames), ("listed hitch", "listedHitches", listedHitches),
      ("span", "spans", trace.spanCount),
      ("asynchronous span", "asynchronousSpans", trace.asyncSpans.count),
      ("mark", "marks", trace.marks.count),
      ("interaction", "interactions", trace.interactions.count),
      ("state", "states", trace.states.count), ("counter", "counters", trace.counters.count),
      ("flow point", "flowPoints", trace.flows.count),
    ]
    return facts + threadFacts.filter { $0.count > 0 }
  }

  /// What is known of the threads' time on cores and of their stacks, if anything is.
  private var threadFacts: [Fact] {
    let samples = trace.tracks.reduce(0) { $0 + $1.threadTimes.count }
    let states = trace.tracks.reduce(0) { $0 + $1.threadStates.count }
    return [
      ("CPU time sample", "cpuTimeSamples", samples), ("thread state", "threadStates", states),
      ("sampled stack", "sampledStacks", sampleCounts.reduce(0) { $0 + $1.count }),
    ]
  }

  private func sorted(
    _ inventory: FXTInventory
  ) -> [(FXTInventory.Kind, FXTInventory.Count)] {
    inventory.kinds.map { ($0.key, $0.value) }.sorted {
      ($1.1.bytes, $0.0.kind, $0.0.category) < ($0.1.bytes, $1.0.kind, $1.0.category)
    }
  }

  private func field(_ name: String, _ text: String) -> String {
    "  " + ColumnWidth.padded(name + " ", to: 9) + text
  }

  /// Returns a field, broken at spaces if it is too long.
  private func wrapped(_ name: String, _ text: String) -> [String] {
    WrappedText.lines(of: text, start: field(name, ""), indent: 11, width: Self.width)
  }

  /// Returns the line, broken at spaces if it is too long.
  private func wrapped(_ line: String, indent: Int) -> [String] {
    let start = String(line.prefix { $0 == " " })
    return WrappedText.lines(of: line, start: start, indent: indent, width: Self.width)
  }

  /// Returns the line, broken at commas if it is too long.
  private func wrappedAtCommas(_ line: String) -> [String] {
    var lines = [""]
    for part in line.split(separator: ",") {
      let isFirst = lines == [""]
      if !isFirst, lines[lines.count - 1].count + part.count > Self.width - 3 {
        lines[lines.count - 1] += ","
        lines.append(String(repeating: " ", count: 10) + part)
      } else {
        lines[lines.count - 1] += (isFirst ? "" : ",") + part
      }
    }
    return lines
  }

  private func right(_ number: some BinaryInteger, _ width: Int) -> String {
    ColumnWidth.rightAligned(" \(number)", to: width)
  }

  /// Returns the wall clock of an anchor as a date and time in UTC.
  private static func wall(_ anchor: FXTSession.Anchor) -> String {
    let (whole, rest) = anchor.wall.quotientAndRemainder(dividingBy: 1_000_000_000)
    var (seconds, date) = (time_t(rest < 0 ? whole - 1 : whole), tm())
    gmtime_r(&seconds, &date)
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
    return
      "\(date.tm_year + 1900)-\(two(date.tm_mon + 1))-\(two(date.tm_mday)) \(two(date.tm_hour))"
      + ":\(two(date.tm_min)):\(two(date.tm_sec)) UTC, ±\(anchor.uncertainty) ns"
  }

  // MARK: - JSON

  /// The summary as JSON, schema `scrolltrace.inspection/2`.
  var json: JSONValue {
    let length = trace.source.hasKnownLength ? trace.range.length : nil
    let notices = trace.notices.map { JSONValue.string(messages.text(of: .trace($0))) }
    var members: [(String, JSONValue)] = [
      ("schema", .string("scrolltrace.inspection/2")), ("path", .string(path)),
      ("format", .string(trace.source.format)), ("bytes", .count(trace.source.byteCount)),
      ("durationNs", .nanoseconds(length)),
    ]
    let samples = sampleCounts.map { thread, count in
      JSONValue.object([("thread", .string(thread)), ("count", .count(count))])
    }
    if let session = inventory?.session { members.append(("session", json(session))) }
    if let inventory { members += json(inventory) }
    return .object(
      members + [
        ("content", .object(facts.map { ($0.name, .count($0.count)) })),
        ("samples", .array(samples)),
        ("losses", .array(trace.losses.map(json))), ("notices", .array(notices)),
        ("openSpans", .array(trace.openSpans.map(json))),
      ])
  }

  private func json(_ session: FXTSession) -> JSONValue {
    func anchor(_ anchor: FXTSession.Anchor?) -> JSONValue {
      anchor.map {
        .object([
          ("clockNs", .unsigned($0.clock)), ("wallNs", .integer($0.wall)),
          ("uncertaintyNs", .unsigned($0.uncertainty)),
        ])
      } ?? .null
    }
    let ring = JSONValue.object([
      ("chunks", .unsigned(session.ringChunks)),
      ("overwrittenChunks", .unsigned(session.chunksOverwritten)),
      ("keptSinceNs", .unsigned(session.keptSince)),
    ])
    return .object([
      ("version", .string("\(session.major).\(session.minor)")),
      ("id", .string(session.identifier)), ("process", .unsigned(session.process)),
      ("clock", .unsigned(UInt64(session.clock))),
      ("counterFrequency", .unsigned(session.counterFrequency)),
      ("opened", anchor(session.opened)), ("finishedAt", anchor(session.closed)),
      ("finished", .bool(session.isClosed)),
      ("stopReason", session.stopReason.map(JSONValue.string) ?? .null),
      ("ring", session.ringChunks > 0 ? ring : .null), ("weight", .count(session.weight)),
      ("dropped", .object(session.drops.map { ($0.reason, .unsigned($0.count)) })),
    ])
  }

  private func json(_ inventory: FXTInventory) -> [(String, JSONValue)] {
    let chunks = JSONValue.object([
      ("used", .count(inventory.usedChunks)), ("unused", .count(inventory.unusedChunks)),
      ("stacks", .count(inventory.stackChunks)), ("durable", .count(inventory.durableChunks)),
      ("sealed", .count(inventory.seals[.valid] ?? 0)),
      ("unsealed", .count(inventory.seals[.missing] ?? 0)),
      ("wrongSeal", .count(inventory.seals[.wrong] ?? 0)),
    ])
    let threads = inventory.threads.sorted { $0.key < $1.key }.map { thread, count in
      JSONValue.object([
        ("process", .unsigned(thread.process)), ("id", .unsigned(thread.id)),
        ("name", .string(count.name)), ("main", .bool(count.isMain)),
        ("chunks", .count(count.chunks)), ("records", .unsigned(count.records)),
        ("drops", .unsigned(count.drops)), ("firstTick", .count(count.first)),
        ("lastTick", .count(count.last)),
      ])
    }
    let records = sorted(inventory).map { kind, count in
      JSONValue.object([
        ("kind", .string(kind.kind)), ("category", .string(kind.category)),
        ("count", .unsigned(count.records)), ("bytes", .unsigned(count.bytes)),
      ])
    }
    return [
      ("chunks", chunks), ("strings", .count(inventory.stringCount)), ("threads", .array(threads)),
      ("records", .array(records)), ("missingBytes", .unsigned(inventory.missingBytes)),
      ("damagedBytes", .unsigned(inventory.damagedBytes)),
      ("damagedPlaces", .count(inventory.damageCount)),
      ("damage", .array(inventory.damage.map(json))),
    ]
  }

  private func json(_ loss: Loss) -> JSONValue {
    .object([
      ("reason", .string(JSONWord.reason(loss.reason))), ("count", .unsigned(loss.count)),
      ("offset", .count(loss.offset)),
    ])
  }

  private func json(_ span: OpenSpan) -> JSONValue {
    .object([
      ("name", .string(trace.name(of: span.label))),
      ("category", .string(trace.category(of: span.label))),
      ("track", .string(trace.displayName(of: span.track))),
      ("startNs", .nanoseconds(span.since - trace.range.start)),
    ])
  }

  private func json(_ damage: FXTInventory.Damage) -> JSONValue {
    .object([
      ("offset", .unsigned(damage.offset)), ("bytes", .unsigned(damage.byteCount)),
      ("reason", .string(damage.reason.rawValue)),
    ])
  }
}
