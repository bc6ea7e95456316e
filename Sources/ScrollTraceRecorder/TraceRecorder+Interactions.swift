extension TraceRecorder {
  /// Records an interaction that lasts as long as `body`.
  ///
  /// - Parameter surface: The surface that moves; `nil` for all.
  public func interaction<Value: ~Copyable, Failure: Error>(
    _ kind: InteractionKind, surface: Surface? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginInteraction(kind, surface: surface)
    defer { endInteraction(token) }
    return try body()
  }

  /// Begins an interaction; any thread may end it.
  public func beginInteraction(
    _ kind: InteractionKind, surface: Surface? = nil
  ) -> InteractionToken {
    guard takesEvent() else { return InteractionToken(kind: kind.name, id: nil) }
    let writer = writer
    let time = writer.eventTime()
    let id = writer.takeAsyncID()
    writer.writeLasting(
      .asyncBegin, SpanCategory.interaction.name, kind.name, at: time, tail: id,
      details: InteractionDetails(surface: surface?.name))
    return InteractionToken(kind: kind.name, id: id)
  }

  /// Ends an interaction.
  public func endInteraction(_ token: InteractionToken) {
    guard let id = token.id, let writer = writerToEnd else { return }
    let time = writer.eventTime()
    writer.writeLasting(
      .asyncEnd, SpanCategory.interaction.name, token.kind, at: time, tail: id,
      details: NoDetails())
  }
}

/// An interaction that has begun.
public struct InteractionToken: Sendable {
  /// Its kind.
  let kind: RecordedName
  /// What joins begin and end; `nil` where it is not recorded.
  let id: UInt64?
}

/// The surface that moves.
private struct InteractionDetails: EventDetails {
  var surface: RecordedName?

  var keys: UInt64 { surface.bit(.surface) }
  var texts: (first: RecordedName?, second: RecordedName?) { (surface, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if surface != nil { record.argument(.surface, first) }
  }
}
