import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// What kept the main thread for long, where no frame tells whether that was too long.
  var longTasks: TitledTable? {
    guard surface?.isEvaluated != true, let tasks = run.work.longTasks, tasks.count > 0 else {
      return nil
    }
    var table = TextTable([
      .init(title: "at", alignment: .right), .init(title: "length", alignment: .right),
      .init(title: "task"), .init(title: "most of it", isFlexible: true, expendability: 1),
    ])
    for task in tasks.longest {
      table.add([
        TextLine(instant(task.range.start)), TextLine(Quantity.length(task.range.length)),
        TextLine(name(trace.name(of: task.label), 24)),
        TextLine(mostOf(task)),
      ])
    }
    let hidden = tasks.count - tasks.longest.count
    let limit = Quantity.length(LongTasks.limit)
    return TitledTable(
      title: "\(Quantity.count(tasks.count, "main-thread task")) longer than \(limit),"
        + " \(Quantity.length(tasks.blocking)) beyond it",
      table: table,
      note: hidden > 0
        ? TextLine("and \(hidden) more, \(Quantity.length(tasks.length)) in all") : nil
    )
  }

  /// The work that filled most of a task, where that is not the task itself.
  private func mostOf(_ task: LongTasks.Task) -> String {
    guard let group = task.attribution?.groups.first,
      (group.category, group.name) != (trace.category(of: task.label), trace.name(of: task.label))
    else { return "" }
    return "\(Quantity.share(group.share)) \(text(ofWork: group.category, group.name))"
  }
}
