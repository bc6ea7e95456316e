import ScrollTraceAnalysis
import ScrollTraceModel

/// The work of a run: main thread, background, and each track.
struct WorkSections {
  let messages: RunMessages

  /// The main-thread and background work, then each track, or `nil` if there is none.
  var work: Document.Table? {
    let work = messages.run.work
    guard work.sums.unionBusy > .zero || work.tracks.contains(where: { $0.waiting > .zero }) else {
      return nil
    }
    var table = tracks(work)
    table.lead = sums(of: work).joined(separator: " · ")
    return table
  }

  /// The sums over the whole time.
  private func sums(of work: WorkAnalysis) -> [String] {
    func text(_ name: String, _ busy: TimeSpan, waiting: TimeSpan) -> String {
      "\(name) \(Quantity.length(busy))"
        + (waiting > .zero ? " and \(Quantity.length(waiting)) waiting" : "")
    }
    var parts: [String] = []
    if let main = work.sums.mainBusy {
      parts.append(text("main", main, waiting: work.sums.mainWaiting ?? .zero))
    }
    if let background = work.sums.backgroundBusy {
      parts.append(text("background", background, waiting: work.sums.backgroundWaiting ?? .zero))
    }
    if let share = work.sums.mainShare { parts.append("main share \(Quantity.share(share))") }
    if let parallelism = work.sums.parallelism {
      parts.append("parallelism \(Quantity.fixed(parallelism, decimals: 2))")
    }
    if let late = work.backgroundBusyDuringOverruns {
      parts.append(
        late == .zero
          ? "no background work while frames were late"
          : "\(Quantity.length(late)) of background work while frames were late")
    }
    return parts
  }

  private func tracks(_ work: WorkAnalysis) -> Document.Table {
    // Waiting is no work; few traces know of any.
    let knowsWaits = work.tracks.contains { $0.waiting > .zero }
    var table = Document.Table(
      ["track", .number("busy")]
        + (knowsWaits ? [.number("waiting")] : []) + [
          .number("utilization"), .init(title: "by category", isFlexible: true, isList: true),
        ])
    let whole = Double(work.window.duration.nanoseconds)
    let (shown, rest) = work.tracks.withoutTiny(maximum: messages.limits.tracks) {
      Double(($0.busy + $0.waiting).nanoseconds) / Swift.max(1, whole)
    }
    for track in shown {
      let categories = track.byCategory.filter { $0.selfTime > .zero }.prefix(5).map {
        "\(messages.name(messages.label($0.category), 24)) \(Quantity.length($0.selfTime))"
      }
      let name =
        messages.name(track.name, messages.limits.trackColumns) + (track.isMain ? " (main)" : "")
      let times = [track.busy] + (knowsWaits ? [track.waiting] : [])
      table.add(
        [StyledText(name)] + times.map { StyledText(Quantity.length($0)) } + [
          StyledText(track.utilization.map(Quantity.share) ?? ""),
          StyledText(categories.joined(separator: ", ")),
        ])
    }
    if !rest.isEmpty {
      let times =
        [rest.reduce(into: TimeSpan.zero) { $0 += $1.busy }]
        + (knowsWaits ? [rest.reduce(into: .zero) { $0 += $1.waiting }] : [])
      table.add(
        [StyledText(RowLimits.others(rest.count), .faint)]
          + times.map { StyledText(Quantity.length($0)) } + [StyledText(), StyledText()])
    }
    return table.titled("Work in \(messages.wording.text(of: work.window)), wall time")
  }

  /// The work of other processes, which is not part of any sum.
  var otherProcesses: Document.Table? {
    guard !messages.run.otherProcesses.isEmpty else { return nil }
    var table = Document.Table([.flexible("process"), .number("busy"), .number("busy tracks")])
    for process in messages.run.otherProcesses.prefix(messages.limits.tracks) {
      table.add(messages.name(process.name), Quantity.length(process.busy), "\(process.busyTracks)")
    }
    let hidden = messages.run.otherProcesses.count - messages.limits.tracks
    let more = StyledText("and \(Quantity.count(hidden, "more process", "more processes"))")
    return table.titled("Other processes", note: hidden > 0 ? more : nil)
  }

  /// The long tasks of the main thread, if frames cannot be evaluated.
  var longTasks: Document.Table? {
    guard messages.surface?.isEvaluated != true, let tasks = messages.run.work.longTasks,
      tasks.count > 0
    else {
      return nil
    }
    var table = Document.Table([
      .number("at"), .number("duration"), "task",
      .init(title: "main part", isFlexible: true, expendability: 1),
    ])
    for task in tasks.longest {
      table.add(
        messages.instant(task.range.start), Quantity.length(task.range.length),
        messages.name(messages.trace.name(of: task.label), 24), work(of: task))
    }
    let hidden = tasks.count - tasks.longest.count
    let limit = Quantity.length(LongTasks.limit)
    return table.titled(
      "\(Quantity.count(tasks.count, "main-thread task")) longer than \(limit),"
        + " \(Quantity.length(tasks.blocking)) beyond it",
      note: hidden > 0
        ? StyledText("and \(hidden) more, \(Quantity.length(tasks.length)) in total") : nil
    )
  }

  /// The work that filled most of a task, if it is not the task itself.
  private func work(of task: LongTasks.Task) -> String {
    guard let group = task.attribution?.groups.first,
      (group.category, group.name) != (
        messages.trace.category(of: task.label), messages.trace.name(of: task.label)
      )
    else { return "" }
    return "\(Quantity.share(group.share)) \(messages.text(ofWork: group.category, group.name))"
  }
}

/// Whether the main thread ran while frames were late, by the system's own count (M-25).
struct ThreadSection {
  let messages: RunMessages

  /// What the main thread did in the windows of the hitches; `nil` if nothing is known.
  var block: Document.Bars? {
    guard let times = messages.surface?.threadInHitches else { return nil }
    let whole = Double(max(1, times.length.nanoseconds))
    let rows: [(label: String, time: TimeSpan, isLate: Bool, count: Int64?)] = [
      ("on a core", times.ran, false, nil),
      ("ready, waiting for a core", times.ready ?? .zero, true, times.preemptions),
      ("blocked", times.blocked ?? .zero, true, times.waits),
      ("off a core, ready or blocked", times.notRunning, true, nil),
      ("unknown", times.unknown, false, nil),
    ]
    return Document.Bars(
      title: "Did it run?  \(Quantity.length(times.length)) of late frames, the system's own count",
      rows: rows.filter { $0.time > .zero }.map { row in
        let share = Quantity.share(Double(row.time.nanoseconds) / whole)
        let number = row.count.flatMap { $0 > 0 ? Int(clamping: $0) : nil }
        let count = number.map { Quantity.count($0, "time") } ?? ""
        return Document.Bars.Row(
          label: row.label, count: Int(clamping: row.time.nanoseconds), isLate: row.isLate,
          value: "\(Quantity.length(row.time)) \(share)",
          remark: count.isEmpty || !times.areCountsPartial ? count : "at least \(count)")
      })
  }
}
