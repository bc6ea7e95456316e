import ScrollTraceAnalysis
import ScrollTraceModel

/// The trace itself: open spans, losses and notices.
struct TraceSections {
  let messages: RunMessages

  var openSpans: Document.Table? {
    guard !messages.trace.openSpans.isEmpty else { return nil }
    var table = Document.Table([.number("start"), "track", .flexible("work")])
    for span in messages.trace.openSpans.prefix(messages.limits.openSpans) {
      let names = [
        messages.label(messages.trace.category(of: span.label)),
        messages.trace.name(of: span.label),
      ]
      let item =
        span.item.flatMap(messages.trace.displayText).map { " (\(messages.name($0, 24)))" } ?? ""
      table.add(
        messages.instant(span.since), messages.name(messages.trace.displayName(of: span.track), 20),
        names.filter { !$0.isEmpty }.map { messages.name($0) }.joined(separator: "/") + item)
    }
    return table.titled(
      "Open spans at the end of the recording",
      note: Quantity.more(messages.trace.openSpans.count - messages.limits.openSpans).map {
        StyledText($0)
      })
  }

  /// The losses, the notices and the number of omitted ones.
  var remarks: Document.List {
    let losses = messages.trace.losses.map {
      StyledText("lost: \(messages.sentence(messages.wording.text(of: $0)))", .near)
    }
    let all = messages.wording.texts(of: messages.run.notices.filter(isNews))
    let notices = all.prefix(messages.limits.notices).map {
      StyledText("note: \(messages.sentence($0))")
    }
    return Document.List(
      items: losses + notices + recorder, style: .remarks,
      note: Quantity.more(all.count - messages.limits.notices, isInJSON: true))
  }

  /// The recorder's own cost, if it was measured.
  private var recorder: [StyledText] {
    guard let overhead = messages.run.recorderOverhead else { return [] }
    var text =
      "recorder: \(Quantity.count(overhead.records, "record")) at about"
      + " \(Quantity.fixed(overhead.nanosecondsPerRecord, decimals: 0)) ns,"
    if let cost = overhead.nanosecondsPerThreadTimeReading {
      text +=
        " \(Quantity.count(overhead.threadTimeReadings, "reading")) of thread times at about"
        + " \(Quantity.fixed(cost, decimals: 0)) ns,"
    }
    if let signals = overhead.stackSignals, let cost = overhead.nanosecondsPerStackSignal {
      text +=
        " \(Quantity.count(signals, "signal")) to sample stacks at about"
        + " \(Quantity.fixed(cost / 1000, decimals: 1)) µs,"
    }
    text += " \(Quantity.length(overhead.time)) in total"
    if let share = overhead.mainShare {
      text += ", \(Quantity.fixed(share * 100, decimals: 2))% of main-thread time"
    }
    text += " (estimated)"
    if let sampler = overhead.stackSampler {
      let time = TimeSpan(nanoseconds: Int64(clamping: sampler))
      text += "; its sampling thread ran for \(Quantity.length(time))"
    }
    return [StyledText(text)]
  }

  /// Returns whether a notice contains information that the headline does not.
  private func isNews(_ notice: AnalysisNotice) -> Bool {
    switch notice {
    case .trace(.noFrames): false
    case .noData: messages.surface?.isEvaluated == true
    default: true
    }
  }
}
