import ScrollTraceModel

/// Collects the rows of the supported tables, and counts unused rows.
struct XctraceCollector {
  /// A table, and the number of its unused rows.
  private struct Unused {
    let name: String
    var count: UInt64 = 0
    var isRepeated = false
  }

  var processes = XctraceProcesses()
  var hitches: [XctraceHitch] = []
  var repeatedHitches = 0
  var vsyncs = XctraceDisplays()
  var swaps = XctraceDisplays()
  /// The list of hitches that is read: the first of two.
  private(set) var hitchTable: XctraceTable?
  private(set) var hasTables = false
  /// Whether there is a list of run loop problems.
  private var listsHangs = false
  private var known: Set<XctraceHitch.Identity> = []
  private var paths: Set<[UInt8]> = []
  private var isRepetition = false
  private var current = 0
  private var unused: [Unused] = []
  private var unusedPositions: [String: Int] = [:]

  // MARK: - Tables

  mutating func startTable(_ schema: XctraceSchema, path: [UInt8]?) {
    hasTables = true
    isRepetition = path.map { !paths.insert($0).inserted } ?? false
    if let table = schema.table, table.listsHitches, hitchTable == nil { hitchTable = table }
    if schema.table == .potentialHangs || schema.table == .hangRisks { listsHangs = true }
    let name = schema.name.isEmpty ? "(no schema)" : schema.name
    current = unused.position(of: name, in: &unusedPositions, adding: Unused(name: name))
  }

  /// Returns whether rows of `table` are used: it is neither a repeated table nor a second list of
  /// the same hitches.
  func reads(_ table: XctraceTable) -> Bool {
    !isRepetition && (!table.listsHitches || table == hitchTable)
  }

  mutating func countUnusedRow() {
    // A row before any schema belongs to no table.
    guard unused.indices.contains(current) else { return }
    unused[current].count += 1
    if isRepetition { unused[current].isRepeated = true }
  }

  /// The tables with unused rows, for a notice.
  private var unusedText: String? {
    let some = unused.filter { $0.count > 0 }.sorted { $0.name < $1.name }
    guard !some.isEmpty else { return nil }
    let tables = some.map { "\($0.name) (\($0.count)\($0.isRepeated ? ", already read" : ""))" }
    return "unused rows: \(tables.listed())"
  }

  // MARK: - Rows

  mutating func add(
    _ row: [XctraceValue], of table: XctraceTable, _ values: XctraceValues,
    to builder: inout TraceBuilder
  ) {
    let start = row[XctraceColumn.start.rawValue]
    guard let start = start.integer else {
      return builder.countLoss(start.tag < 0 ? .malformedRecord : .invalidValue)
    }
    guard let begin = Timestamp(nanoseconds: start) else {
      return builder.countLoss(.timeOutOfRange)
    }
    switch table {
    case .hitches, .hitchesSummary: addHitch(row, begin, values, to: &builder)
    case .vsyncs:
      guard values.text(of: row[XctraceColumn.event.rawValue]).matches("VSYNC") else { return }
      vsyncs.add(begin, of: display(of: row, values, in: &builder))
    case .displayedSurfaces: swaps.add(begin, of: display(of: row, values, in: &builder))
    case .potentialHangs: addSpan("hang", row, begin, values, to: &builder)
    case .runLoops:
      // Waiting in a run loop is not work, and an interval that contains both is neither.
      guard values.text(of: row[XctraceColumn.label.rawValue]).matches("Busy") else { return }
      addSpan("runloop", row, begin, values, to: &builder)
    case .hangRisks:
      guard let track = track(of: row, values, in: &builder) else { return countUnusedRow() }
      builder.addMark(on: track, at: begin, label: label("hang-risk", row, values, in: &builder))
    case .threadStates: addState(row, begin, values, to: &builder)
    // Its rows are not made of columns.
    case .timeProfile, .timeSamples: break
    }
  }

  private mutating func addHitch(
    _ row: [XctraceValue], _ start: Timestamp, _ values: XctraceValues,
    to builder: inout TraceBuilder
  ) {
    guard let length = length(of: row, in: &builder) else { return }
    let process = row[XctraceColumn.process.rawValue].process
    let identity = XctraceHitch.Identity(
      surface: XctraceHitch.Surface(
        process: process >= 0 ? Int(process) : nil,
        isSystem: row[XctraceColumn.isSystem.rawValue].integer ?? 0 != 0,
        display: display(of: row, values, in: &builder)),
      start: start, length: length, swap: row[XctraceColumn.swap.rawValue].integer)
    guard known.insert(identity).inserted else {
      repeatedHitches += 1
      return
    }
    let interval = row[XctraceColumn.refreshInterval.rawValue].integer
    hitches.append(
      XctraceHitch(
        identity: identity, refreshInterval: interval.map { TimeSpan(nanoseconds: $0) },
        label: verdict(row, values, in: &builder)))
  }

  private mutating func addSpan(
    _ category: String, _ row: [XctraceValue], _ start: Timestamp, _ values: XctraceValues,
    to builder: inout TraceBuilder
  ) {
    guard let length = length(of: row, in: &builder) else { return }
    guard let track = track(of: row, values, in: &builder) else { return countUnusedRow() }
    if row[XctraceColumn.isMain.rawValue].integer ?? 0 != 0 { builder.setMain(track) }
    builder.addSpan(
      on: track, from: start, to: start + length, label: label(category, row, values, in: &builder))
  }

  // MARK: - Columns

  func length(of row: [XctraceValue], in builder: inout TraceBuilder) -> TimeSpan? {
    let value = row[XctraceColumn.duration.rawValue]
    guard let length = value.integer else {
      builder.countLoss(value.tag < 0 ? .malformedRecord : .invalidValue)
      return nil
    }
    guard length >= 0 else {
      builder.countLoss(.endBeforeBegin)
      return nil
    }
    return TimeSpan(nanoseconds: length)
  }

  private func display(
    of row: [XctraceValue], _ values: XctraceValues, in builder: inout TraceBuilder
  ) -> StringID { string(values.text(of: row[XctraceColumn.display.rawValue]), in: &builder) }

  /// Returns Apple's classification of a hitch, with its severity if it has one.
  private func verdict(
    _ row: [XctraceValue], _ values: XctraceValues, in builder: inout TraceBuilder
  ) -> StringID? {
    let label = values.text(of: row[XctraceColumn.label.rawValue])
    let severity = values.text(of: row[XctraceColumn.severity.rawValue])
    guard !severity.isEmpty else { return label.isEmpty ? nil : string(label, in: &builder) }
    let gap: [UInt8] = label.isEmpty ? [] : [UInt8(ascii: ","), UInt8(ascii: " ")]
    return string((label + gap + severity)[...], in: &builder)
  }

  private func label(
    _ category: String, _ row: [XctraceValue], _ values: XctraceValues,
    in builder: inout TraceBuilder
  ) -> LabelID {
    let text = values.text(of: row[XctraceColumn.label.rawValue])
    return builder.label(category: builder.string(category), name: string(text, in: &builder))
  }

  func track(
    of row: [XctraceValue], _ values: XctraceValues, in builder: inout TraceBuilder
  ) -> TrackID? {
    let thread = row[XctraceColumn.thread.rawValue]
    let process = row[XctraceColumn.process.rawValue].process
    return track(thread, of: thread.process >= 0 ? thread.process : process, values, in: &builder)
  }

  /// Returns the track of a thread of the process at `position`, or `nil` if either is unknown.
  func track(
    _ thread: XctraceValue, of position: Int32, _ values: XctraceValues,
    in builder: inout TraceBuilder
  ) -> TrackID? {
    guard let number = thread.integer, number >= 0, position >= 0,
      let process = self.process(Int(position), in: &builder)
    else { return nil }
    let track = builder.track(UInt64(number), of: process)
    Self.setName(
      String(decoding: values.text(of: thread).prefix(1024), as: UTF8.self), of: track,
      in: &builder)
    return track
  }

  /// Names a track by its thread, unless it has a name:
  /// `Main Thread (0x1b86) (Finder, pid: 873)` or `Main Thread  0x1b86 (Finder, pid: 873)`.
  static func setName(_ text: String, of track: TrackID, in builder: inout TraceBuilder) {
    guard builder.name(of: track).isEmpty else { return }
    let end = text.firstOccurrence(of: " (0x") ?? text.firstOccurrence(of: " 0x")
    let start = end.map { text[..<$0.lowerBound] } ?? text[...]
    let name = start.last == " " ? start.dropLast() : start
    builder.setName(String(name), of: track)
    if name == "Main Thread" { builder.setMain(track) }
  }

  /// Returns the trace's process for a position in the list, or `nil` if its number is unknown.
  func process(_ position: Int, in builder: inout TraceBuilder) -> ProcessID? {
    let process = processes.all[position]
    guard let pid = process.pid.flatMap({ UInt64(exactly: $0) }) else { return nil }
    let id = builder.process(pid)
    builder.setName(process.name, of: id)
    return id
  }

  private func string(_ text: ArraySlice<UInt8>, in builder: inout TraceBuilder) -> StringID {
    text.withUnsafeBufferPointer { builder.string($0) }
  }
}

extension ArraySlice<UInt8> {
  func matches(_ text: StaticString) -> Bool { withUnsafeBytes { $0.hasBytes(of: text) } }
}

extension XctraceCollector {
  /// The name of the surface for hitches without a process and display.
  private static let plainSurface = "Display"

  /// Adds the data that had to wait for the last table, and reports missing data.
  mutating func finish(
    _ run: XctraceContents.Run?, repeatedSamples: Int, in builder: inout TraceBuilder
  ) {
    // The clock of a recording starts with it.
    builder.extend(to: .zero)
    builder.setsStrayTimesApart = false
    let target = run?.target.map { processes.position($0) }
    settleHost(target, in: &builder)
    reportLength(run, in: &builder)
    addHitches(target: target, to: &builder)
    addSwaps(to: &builder)
    builder.addNotice("hitches listed in several tables, counted once", count: repeatedHitches)
    builder.addNotice("samples listed in several tables, counted once", count: repeatedSamples)
    if let text = unusedText { builder.addNotice(text) }
  }

  /// Sets the host: the recorded process, or else the only one with hitches.
  private func settleHost(_ target: Int?, in builder: inout TraceBuilder) {
    var owners: [Int] = []
    for hitch in hitches where !hitch.identity.surface.isSystem {
      guard let process = hitch.identity.surface.process else { continue }
      if !owners.contains(process), owners.count < 2 { owners.append(process) }
    }
    let host = target ?? (owners.count == 1 ? owners[0] : nil)
    if let host, let process = process(host, in: &builder) { builder.setHost(process) }
  }

  /// Reports an unknown duration: only the table of contents contains the divisor of a ratio.
  private func reportLength(_ run: XctraceContents.Run?, in builder: inout TraceBuilder) {
    let last = hitches.map { $0.identity.start + $0.identity.length }.max()
    guard let duration = run?.duration else {
      // Lists of hitches and hangs contain the times of problems, not the observed time.
      guard hitchTable != nil || listsHangs else { return }
      builder.source.hasKnownLength = false
      return builder.addNotice(
        "an export of tables does not contain the recorded time: put the table of contents"
          + " (xctrace export --toc) before it with cat, or define what moved with --define")
    }
    builder.extend(to: .zero + duration)
    if let last, last > .zero + duration {
      builder.addNotice(
        "a hitch ends after the end of the recording in the table of contents:"
          + " are both from the same recording?")
    }
  }

  // MARK: - Hitches

  private func addHitches(target: Int?, to builder: inout TraceBuilder) {
    guard hitchTable != nil else { return }
    // The surface of the recorded process exists even if it had no hitches while others had.
    if let target, hitchTable == .hitches {
      builder.setBasis(.hitchList, of: builder.surface(processes.displayName(target)))
    } else if hitches.isEmpty {
      builder.setBasis(.hitchList, of: builder.surface(Self.plainSurface))
    }
    let names = surfaceNames(in: builder)
    let intervals = refreshIntervals(in: &builder)
    for hitch in hitches {
      let surface = hitch.identity.surface
      builder.addListedHitch(
        ListedHitch(
          start: hitch.identity.start, length: hitch.identity.length,
          refreshInterval: hitch.refreshInterval ?? intervals[surface.display],
          sourceLabel: hitch.label), of: builder.surface(names[surface] ?? Self.plainSurface))
    }
  }

  /// Returns the refresh interval of each display that has one; the first without one is reported.
  private func refreshIntervals(in builder: inout TraceBuilder) -> [StringID: TimeSpan] {
    var refreshIntervals: [StringID: TimeSpan] = [:]
    var varying: StringID?
    for display in vsyncs.names {
      refreshIntervals[display] = vsyncs.steadyInterval(of: display)
      if refreshIntervals[display] == nil { varying = varying ?? display }
    }
    if let varying {
      builder.addNotice(
        "the refresh rate of \(builder.name(of: varying)) varies or was observed too briefly;"
          + " set it with --refresh-rate")
    }
    return refreshIntervals
  }

  /// Returns a name for each surface: the process, and the display if the process had hitches on
  /// several, so that the surface has one name in runs with and without hitches.
  private func surfaceNames(in builder: TraceBuilder) -> [XctraceHitch.Surface: String] {
    var names: [XctraceHitch.Surface: String] = [:]
    var displays: [String: Set<StringID>] = [:]
    for hitch in hitches where names[hitch.identity.surface] == nil {
      let surface = hitch.identity.surface
      let name = ownerName(surface)
      names[surface] = name
      displays[name, default: []].insert(surface.display)
    }
    for (surface, name) in names where displays[name, default: []].count > 1 {
      let display = builder.name(of: surface.display)
      names[surface] = "\(name) on \(display.isEmpty ? "an unnamed display" : display)"
    }
    return names
  }

  private func ownerName(_ surface: XctraceHitch.Surface) -> String {
    guard let process = surface.process else {
      if hitchTable == .hitchesSummary { return Self.plainSurface }
      return surface.isSystem ? "system" : "unknown process"
    }
    let name = processes.displayName(process)
    return surface.isSystem ? "\(name) (system)" : name
  }

  // MARK: - Pictures

  /// Adds each new image on a display as a frame with only a presentation time.
  private func addSwaps(to builder: inout TraceBuilder) {
    for display in swaps.names {
      let name = builder.name(of: display)
      let surface = builder.surface(
        name.isEmpty ? "presented frames" : "presented frames on \(name)")
      builder[surface].isDisplayStream = true
      let interval = vsyncs.steadyInterval(of: display)
      for (index, time) in swaps.timestamps(of: display).enumerated() {
        var frame = Frame(id: UInt64(index + 1))
        frame.presented = Timestamp(clamping: time)
        frame.refreshInterval = interval
        builder.updateFrame(frame, of: surface)
      }
    }
  }
}
