import ScrollTraceModel

extension XctraceCollector {
  /// The surface of hitches that no row says anything of.
  private static let plainSurface = "Display"

  /// Adds all that had to wait for the last table, and says what is missing.
  mutating func finish(_ run: XctraceContents.Run?, in builder: inout TraceBuilder) {
    // The clock of a recording begins with it.
    builder.extend(to: .zero)
    let target = run?.target.map { processes.position($0) }
    settleHost(target, in: &builder)
    noteLength(run, in: &builder)
    addHitches(target: target, to: &builder)
    addSwaps(to: &builder)
    if repeatedHitches > 0 {
      builder.addNotice(
        .source("hitches that are listed in several tables, and counted once: \(repeatedHitches)"))
    }
    if let text = unusedText { builder.addNotice(.source(text)) }
  }

  /// The host is the process that was recorded, else the only one that had hitches.
  private func settleHost(_ target: Int?, in builder: inout TraceBuilder) {
    var owners: [Int] = []
    for hitch in hitches where !hitch.identity.place.isSystem {
      guard let process = hitch.identity.place.process else { continue }
      if !owners.contains(process), owners.count < 2 { owners.append(process) }
    }
    let host = target ?? (owners.count == 1 ? owners[0] : nil)
    if let host, let process = process(host, in: &builder) { builder.setHost(process) }
  }

  /// What a ratio is measured against is only known from the table of contents.
  private func noteLength(_ run: XctraceContents.Run?, in builder: inout TraceBuilder) {
    let last = hitches.map { $0.identity.start + $0.identity.length }.max()
    guard let duration = run?.duration else {
      guard hitchTable != nil else { return }
      builder.source.tellsLength = false
      return builder.addNotice(
        .source(
          "an export of tables does not say how long was recorded: put the table of contents"
            + " (xctrace export --toc) before it with cat, or name what moved with --interaction"))
    }
    builder.extend(to: .zero + duration)
    if let last, last > .zero + duration {
      builder.addNotice(
        .source(
          "a hitch ends after the end of the recording that the table of contents tells:"
            + " are both of the same recording?"))
    }
  }

  // MARK: - Hitches

  private func addHitches(target: Int?, to builder: inout TraceBuilder) {
    guard hitchTable != nil else { return }
    // The surface of what was recorded is there even if it had no hitch, while others had.
    if let target, hitchTable == .hitches {
      builder.setBasis(.hitchList, of: builder.surface(processes.displayName(target)))
    } else if hitches.isEmpty {
      builder.setBasis(.hitchList, of: builder.surface(Self.plainSurface))
    }
    let names = surfaceNames(in: builder)
    let intervals = refreshIntervals(in: &builder)
    for hitch in hitches {
      let place = hitch.identity.place
      builder.addListedHitch(
        ListedHitch(
          start: hitch.identity.start, length: hitch.identity.length,
          refreshInterval: hitch.refreshInterval ?? intervals[place.display], sourceLabel: hitch.label),
        of: builder.surface(names[place] ?? Self.plainSurface))
    }
  }

  /// The refresh interval of each display that has one; the first that has none is said.
  private func refreshIntervals(in builder: inout TraceBuilder) -> [StringID: TimeSpan] {
    var refreshIntervals: [StringID: TimeSpan] = [:]
    var varying: StringID?
    for display in vsyncs.names {
      refreshIntervals[display] = vsyncs.steadyInterval(of: display)
      if refreshIntervals[display] == nil { varying = varying ?? display }
    }
    if let varying {
      builder.addNotice(
        .source(
          "the refresh rate of \(builder.name(of: varying)) varies or is seen too shortly;"
            + " --refresh-rate says which to take"))
    }
    return refreshIntervals
  }

  /// A name for each place: the process, and the display where the process had hitches on several,
  /// so that the surface is called the same in runs with and without a hitch.
  private func surfaceNames(in builder: TraceBuilder) -> [XctraceHitch.Place: String] {
    var names: [XctraceHitch.Place: String] = [:]
    var displays: [String: Set<StringID>] = [:]
    for hitch in hitches where names[hitch.identity.place] == nil {
      let place = hitch.identity.place
      let name = ownerName(place)
      names[place] = name
      displays[name, default: []].insert(place.display)
    }
    for (place, name) in names where displays[name, default: []].count > 1 {
      let display = builder.name(of: place.display)
      names[place] = "\(name) on \(display.isEmpty ? "an unnamed display" : display)"
    }
    return names
  }

  private func ownerName(_ place: XctraceHitch.Place) -> String {
    guard let process = place.process else {
      if hitchTable == .hitchesSummary { return Self.plainSurface }
      return place.isSystem ? "system" : "unknown process"
    }
    let name = processes.displayName(process)
    return place.isSystem ? "\(name) (system)" : name
  }

  // MARK: - Pictures

  /// Adds each new picture on a display as a frame of which only the time on the glass is known.
  private func addSwaps(to builder: inout TraceBuilder) {
    for display in swaps.names {
      let name = builder.name(of: display)
      let surface = builder.surface(
        name.isEmpty ? "pictures shown" : "pictures shown on \(name)")
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
