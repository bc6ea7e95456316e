import ScrollTraceModel

extension ChromeEventCollector {
  /// Adds all that had to wait for the end of the trace.
  ///
  /// - Parameter app: The process on the screen, where the trace tells that in another way too.
  /// - Returns: Whether a page was found that is the host.
  @discardableResult
  mutating func finish(app: UInt64? = nil, in builder: inout TraceBuilder) -> Bool {
    spans.finish(in: &builder, calls: &calls, flutter: &flutter)
    calls.sort()
    let pairs = async.pairs(countingLossesIn: &builder)
    addAsyncSpans(pairs, to: &builder)
    interactions.finish(in: &builder)
    for (index, entry) in tracks.entries.enumerated() where entry.taskCount > 0 {
      // Chrome wraps everything a thread does in tasks, so time without one is idle.
      builder.setCompletelyRecorded(tracks.tracks[index])
    }
    let extractor = ChromeFrameExtractor(
      records: frames, tracks: tracks, asyncRecords: async.records, pairs: pairs)
    if !flutter.isAwaited { flutter.addFrames(to: &builder) }
    return extractor.addFrames(app: app, to: &builder)
  }

  /// Adds the pairs as spans of no thread's stack; the page's measures as work of their thread,
  /// where one call of a script contains them.
  ///
  /// The stages of pipeline reporters are left out: they become frames.
  private func addAsyncSpans(
    _ pairs: [ChromeAsyncPairing.Pair], to builder: inout TraceBuilder
  ) {
    for pair in pairs {
      let begin = async.records[pair.start]
      let end = async.records[pair.end].time
      guard pair.reporter == nil, begin.meaning != .pipelineReporter else { continue }
      if begin.isMeasure,
        let inside = calls.begin(ofMeasureFrom: begin.time, to: end, on: begin.track)
      {
        builder.addSpan(
          on: begin.track, from: inside, to: end, label: begin.label, arguments: begin.arguments)
        continue
      }
      builder.addAsyncSpan(
        on: begin.track, from: begin.time, to: end, label: begin.label,
        arguments: begin.arguments)
    }
  }
}
