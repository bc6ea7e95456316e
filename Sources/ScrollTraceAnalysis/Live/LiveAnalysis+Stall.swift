package import ScrollTraceModel

extension LiveAnalysis {
  /// What is shorter may be recorded already and not yet read.
  private static let leastStall = TimeSpan.milliseconds(100)

  /// The longest wait of a surface that goes on at `now`, or `nil` if none is owed a frame, or one was
  /// a moment ago.
  ///
  /// A surface is owed a frame in motion (M-3), and once it has begun one. What becomes of it nobody
  /// knows yet: a recording that ends here has this hitch, one that goes on the one that comes of it.
  package func stall(at now: Timestamp) -> LiveStall? {
    passes.compactMap { stall(of: $0, at: now) }.max { $0.length < $1.length }
  }

  private func stall(of pass: SurfacePass, at now: Timestamp) -> LiveStall? {
    guard let interval = pass.frames.last?.refreshInterval, interval > .zero,
      let since = owedSince(pass)
    else { return nil }
    let begin = since + interval
    guard now - begin >= max(Self.leastStall, interval * 2) else { return nil }
    let length = now - begin
    return LiveStall(
      surface: pass.surface.name, start: begin, length: length,
      refreshesMissed: Int(length.nanoseconds / interval.nanoseconds))
  }

  /// What came last of a surface in motion, or when it began the frame that is open, or `nil` if it
  /// is owed nothing.
  private func owedSince(_ pass: SurfacePass) -> Timestamp? {
    let motion = pass.interactions.filter { $0.end == nil }.map(\.start).max()
    // Frames whose presentation is not told yet have been done.
    let last = pass.frames.suffix(8).compactMap { frame in
      frame.isOwed
        ? [frame.shown, frame.frame.commitEnd].compactMap { $0 }.max() : frame.frame.place
    }.max()
    if let motion { return max(motion, last ?? motion) }
    return trace.openSpans.first { span in
      trace.category(of: span.label) == "scrolltrace.frame"
        && trace.name(of: span.label) == pass.surface.name
    }?.since
  }
}
