package import ScrollTraceModel

extension LiveAnalysis {
  /// Shorter stalls may have been recorded already and not been read yet.
  private static let minimumStall = TimeSpan.milliseconds(100)

  /// The longest stall of a surface at `now`, or `nil` if no frame is expected or one has just been
  /// presented.
  ///
  /// A frame is expected in motion (M-3) and after a frame has started. The outcome is not known
  /// yet: if the recording ends here, it contains this hitch; if it continues, the hitch that
  /// results.
  package func stall(at now: Timestamp) -> LiveStall? {
    passes.compactMap { stall(of: $0, at: now) }.max { $0.length < $1.length }
  }

  private func stall(of pass: SurfacePass, at now: Timestamp) -> LiveStall? {
    guard let interval = pass.frames.last?.refreshInterval, interval > .zero,
      let since = owedSince(pass)
    else { return nil }
    let start = since + interval
    guard now - start >= max(Self.minimumStall, interval * 2) else { return nil }
    let length = now - start
    return LiveStall(
      surface: pass.surface.name, start: start, length: length,
      refreshesMissed: Int(length.nanoseconds / interval.nanoseconds))
  }

  /// The time of the last event of a surface in motion, or the start of its open frame, or `nil` if
  /// no frame is expected.
  private func owedSince(_ pass: SurfacePass) -> Timestamp? {
    let motion = pass.interactions.filter { $0.end == nil }.map(\.start).max()
    // Frames whose presentation is not reported yet are done.
    let last = pass.frames.suffix(8).compactMap { frame in
      frame.isOwed
        ? [frame.shown, frame.frame.commitEnd].compactMap { $0 }.max() : frame.frame.time
    }.max()
    if let motion { return max(motion, last ?? motion) }
    return trace.openSpans.first { span in
      trace.category(of: span.label) == "scrolltrace.frame"
        && trace.name(of: span.label) == pass.surface.name
    }?.since
  }
}
