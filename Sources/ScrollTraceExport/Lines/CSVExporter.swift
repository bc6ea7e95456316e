package import ScrollTraceModel

/// Writes the frames as comma-separated values, with times in nanoseconds, and nothing else.
package struct CSVExporter: TraceExporter {
  package static let name = "csv"

  package static let fileEndings = ["csv"]

  package init() {}

  /// Writes the frames of `trace`.
  package func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    var leftOut = ExportOmissions()
    var commits = CommitSpans(trace)
    let threads = LineThreads(trace)
    output.append(
      "frame,surface,begin,commitStart,commitEnd,deadline,target,presented,interval,outcome,thread,"
        + "label,commitSpan\n")
    var toldCount = 0
    for surface in trace.surfaces {
      let name = Self.field(surface.name, &leftOut)
      for index in 0..<surface.frames.count {
        let frame = surface.frames[index]
        let times = [
          frame.start, frame.commitStart, frame.commitEnd, frame.deadline, frame.target,
          frame.presented, frame.refreshInterval.map { .zero + $0 },
        ]
        output.append("\(frame.id),\(name)")
        for time in times { output.append("," + (time.map { "\($0.nanoseconds)" } ?? "")) }
        let thread = frame.track.flatMap { threads[$0] } ?? ""
        if frame.track != nil, thread.isEmpty { leftOut.add(.frameThread) }
        let label = frame.sourceLabel.map { trace.strings[$0] } ?? ""
        let isTold = commits.take(frame, of: surface.name)
        if isTold { toldCount += 1 }
        output.append(",\(frame.outcomeWord.map(\.description) ?? ""),")
        output.append(Self.field(thread, &leftOut) + "," + Self.field(label, &leftOut))
        output.append(frame.commitEnd != nil && !isTold ? ",false\n" : ",\n")
        guard !output.hasFailed else { return leftOut }
      }
      leftOut.add(.listedHitch, surface.listedHitches.count)
      leftOut.add(.surfaceProperty, Self.untoldProperties(of: surface))
    }
    leftOut.add(.changedName, threads.changedCount)
    count(trace, toldSpans: toldCount, in: &leftOut)
    return leftOut
  }

  /// Returns the number of a surface's properties that its frames do not contain.
  private static func untoldProperties(of surface: Surface) -> Int {
    let frames = (0..<surface.frames.count).map { surface.frames[$0] }
    return [
      surface.presentationTolerance > .zero, surface.timesLieOnRefreshGrid,
      surface.numbersEveryFrame, surface.basis != Basis(of: frames),
    ].count { $0 }
  }

  private func count(_ trace: Trace, toldSpans: Int, in leftOut: inout ExportOmissions) {
    leftOut.add(.span, trace.tracks.reduce(0) { $0 + $1.spans.count } - toldSpans)
    leftOut.add(.openSpan, trace.openSpans.count)
    leftOut.add(.asyncSpan, trace.asyncSpans.count)
    leftOut.add(.mark, trace.marks.count)
    leftOut.add(.sample, trace.counters.reduce(0) { $0 + $1.times.count })
    leftOut.add(.threadTime, trace.tracks.reduce(0) { $0 + $1.threadTimes.count })
    leftOut.add(.threadState, trace.tracks.reduce(0) { $0 + $1.threadStates.count })
    leftOut.add(.flowPoint, trace.flows.count)
    leftOut.add(.interaction, trace.interactions.count)
    leftOut.add(.state, trace.states.count)
    leftOut.add(.loss, trace.losses.count)
    leftOut.add(.aggregate, trace.aggregates.count)
    leftOut.add(.notice, trace.notices.count { $0.isOfSource })
  }

  /// The bytes that become spaces: zero and line breaks.
  private static let replaced: [UInt8] = [0, 0x0A, 0x0D]

  private static func field(_ text: String, _ leftOut: inout ExportOmissions) -> String {
    if text.utf8.contains(where: replaced.contains) { leftOut.add(.changedName) }
    return CSVField.text(text, replacing: replaced)
  }
}
