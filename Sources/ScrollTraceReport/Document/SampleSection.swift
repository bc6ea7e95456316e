import ScrollTraceAnalysis
import ScrollTraceModel

/// Where the sampled thread was, by span and call path (M-26).
struct SampleSection {
  /// The number of innermost functions of a path that are named, besides the app's outermost one.
  private static let innerFunctions = 2
  /// The most callers of all samples that are named, and how many of them are the outermost ones.
  private static let maximumCallers = 16
  private static let outerCallers = 4
  private static let nameColumns = 40

  let messages: RunMessages

  /// The hot paths of the hitches and of a frame that never ended, or of the measured time if those have
  /// no sample.
  var blocks: [Document.Block] {
    guard let samples = messages.run.samples else { return [] }
    var blocks: [Document.Block] = []
    if let surface = messages.surface, let account = samples.hitches[surface.surface],
      account.samples > 0
    {
      let count = surface.hitches.count { $0.lengthInMotion > .zero }
      let text = "in \(Quantity.count(count, "hitch", "hitches"))"
      blocks += self.blocks(account, samples.timeline, in: text)
    }
    if let surface = messages.surface, let open = surface.openFrame,
      let account = samples.openFrames[surface.surface]
    {
      blocks += self.blocks(
        account, samples.timeline, in: "in frame \(open.frame) at the end")
    }
    if blocks.isEmpty || messages.limits.nameColumns > 0 {
      blocks += self.blocks(
        samples.measured, samples.timeline,
        in: samples.isMotion ? "in motion" : "in the whole recording")
    }
    return blocks
  }

  /// The hot paths in the window of a frame with their shared callers, and the app's functions; none if
  /// there is no sample.
  func blocks(of frame: FrameDetail) -> [Document.Block] {
    guard let samples = messages.run.samples, let account = account(of: frame), account.samples > 0
    else { return [] }
    var table = table(account, samples.timeline, in: "in the window of this frame")
    if !account.sharedCallers.isEmpty {
      let callers = account.sharedCallers.map(tableName)
      let isLong = callers.count > Self.maximumCallers
      let shown =
        isLong
        ? callers.prefix(Self.outerCallers) + ["…"]
          + callers.suffix(Self.maximumCallers - Self.outerCallers) : callers
      let text = "every sample is in \(shown.joined(separator: " › "))"
      table.lead = [table.lead, text].compactMap { $0 }.joined(separator: "; ")
    }
    return [.table(table)] + ownFunctions(account).blocks
  }

  /// What the samples say about the window of a frame, or `nil` if it has none.
  func account(of frame: FrameDetail) -> SampleAccount? {
    guard let samples = messages.run.samples, let window = frame.attribution?.window else {
      return nil
    }
    return samples.timeline.account(of: TimeRangeSet(union: [window]))
  }

  private func blocks(
    _ account: SampleAccount, _ timeline: SampleTimeline, in windows: String
  ) -> [Document.Block] {
    guard account.samples > 0 else { return [] }
    let table = table(account, timeline, in: windows)
    guard !account.isOnlyOrder else { return [.table(table)] }
    return [.table(table)] + ownFunctions(account).blocks
      + [.flame(flame(account, title: table.title))]
  }

  /// The app's functions with all that they call, wherever they are called, or `nil` if there are none.
  private func ownFunctions(_ account: SampleAccount) -> Document.Table? {
    let functions = account.ownFunctions.filter { $0.hasRow(in: account) }
    guard !account.isOnlyOrder, !functions.isEmpty else { return nil }
    var table = Document.Table([
      .number("time"), .number("share"), .number("samples"),
      .flexible("function of the app, with all that it calls", minimum: 30),
    ])
    let shown = functions.prefix(messages.limits.causes)
    for function in shown {
      table.add(
        Quantity.length(function.total), Quantity.share(share(of: function.total, in: account)),
        "\(function.totalSamples)", tableName(function.name))
    }
    table.group = Self.group
    return table.titled("", note: .more(functions.count - shown.count, "function"))
  }

  /// The name that the tables of an account share.
  private static let group = "samples"

  private func share(of time: TimeSpan, in account: SampleAccount) -> Double {
    Double(time.nanoseconds) / Double(max(1, account.length.nanoseconds))
  }

  private func table(
    _ account: SampleAccount, _ timeline: SampleTimeline, in windows: String
  ) -> Document.Table {
    let thread = timeline.isMain ? "the main thread" : messages.name(timeline.threadName)
    let apart = Quantity.length(timeline.cells.medianGap)
    let title =
      "Where \(thread) was \(windows): \(Quantity.count(account.samples, "sample")), \(apart) apart"
    guard !account.isOnlyOrder else { return order(account, title) }
    var table = Document.Table([
      .number("time"), .number("share"), .number("samples"),
      .init(title: "call path, outermost first", isFlexible: true, minimum: 30, isCallPath: true),
    ])
    table.group = Self.group
    table.lead =
      "\(Quantity.length(account.length)) in all: \(Quantity.length(account.sampled)) sampled,"
      + " \(Quantity.length(account.notSampled)) not sampled"
    var hidden = 0
    func add(_ time: TimeSpan, _ samples: Int, _ text: String, _ role: TextRole) {
      guard table.rows.count < messages.limits.samplePaths else { return hidden += 1 }
      table.add(
        StyledText(Quantity.length(time), role),
        StyledText(Quantity.share(share(of: time, in: account)), role),
        StyledText("\(samples)", role), StyledText(text, role))
    }
    for row in account.rows {
      let span = name(of: row)
      if let path = row.paths.first, row.paths.count == 1, path.time == row.time {
        add(row.time, row.samples, "\(span) › \(text(of: path))", .plain)
        continue
      }
      add(row.time, row.samples, span, .plain)
      for path in row.paths { add(path.time, path.samples, "  \(text(of: path))", .faint) }
    }
    return table.titled(title, note: .more(hidden, "call path"))
  }

  /// The paths of so few samples that only their order means anything.
  private func order(_ account: SampleAccount, _ title: String) -> Document.Table {
    var table = Document.Table([
      .init(title: "call path, by samples", isFlexible: true, isCallPath: true)
    ])
    for row in account.rows {
      for path in row.paths.prefix(5) {
        table.add("\(name(of: row)) › \(text(of: path))")
      }
    }
    return table.titled(
      title, note: StyledText("too few samples to say how much time these take", .faint))
  }

  private func name(of row: SampleAccount.Row) -> String {
    guard let category = row.category, let name = row.name else { return "unrecorded" }
    return messages.text(ofWork: category, name)
  }

  /// The app's outermost function of a path and the innermost ones, `load … decode › copy`.
  private func text(of path: SampleAccount.Path) -> String {
    let functions = path.functions[(path.firstOwn ?? path.sharedCount)...]
    guard let first = functions.first else { return "(no stack)" }
    let inner = functions.dropFirst().suffix(Self.innerFunctions)
    let names = ([first] + inner).map(tableName)
    guard inner.count + 1 < functions.count else { return names.joined(separator: " › ") }
    return "\(names[0]) … \(names.dropFirst().joined(separator: " › "))"
  }

  /// A function's name in a table: that the compiler made a copy of it for its arguments takes room, and
  /// says nothing about the app.
  private func tableName(_ name: String) -> String {
    let copy = "specialized "
    return messages.name(
      name.hasPrefix(copy) ? String(name.dropFirst(copy.count)) : name, Self.nameColumns)
  }

  private func flame(_ account: SampleAccount, title: String) -> Document.Flame {
    let whole = Double(max(1, account.sampled.nanoseconds))
    var bars = FlameBars(whole: whole)
    let nodes = account.flame.nodes.map { node in
      let (start, width) = bars.add(Double(node.time.nanoseconds), at: node.depth)
      let name = messages.name(node.isSpan ? messages.label(node.name) : node.name, 120)
      let module = node.module.map { " (\(messages.name($0, 60)))" } ?? ""
      return Document.Flame.Node(
        name: name,
        text: "\(name)\(module): \(Quantity.length(node.time)), \(Quantity.share(width)),"
          + " \(Quantity.count(node.samples, "sample"))",
        depth: node.depth, start: start, width: width, role: node.isSpan ? .strong : .plain)
    }
    return Document.Flame(title: "Flame graph: \(title)", nodes: nodes)
  }
}
