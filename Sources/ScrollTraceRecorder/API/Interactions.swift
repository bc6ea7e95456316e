internal import CRecorderShims
public import ScrollTraceLayout

/// The kind of an interaction, during which a frame is expected at every refresh.
public struct InteractionKind: RecordedKind {
  @usableFromInline package let name: RecordedName

  /// Creates a kind with a name.
  @inlinable
  public init(_ name: RecordedName) { self.name = name }
}

extension InteractionKind {
  /// A finger or pointer moves the content.
  @inlinable public static var drag: InteractionKind { .init(word: Vocabulary.Interaction.drag) }

  /// The content decelerates after a fling.
  @inlinable public static var deceleration: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.deceleration))
  }

  /// An animation runs.
  @inlinable public static var animation: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.animation))
  }

  /// An item is dragged to another position.
  @inlinable public static var reorder: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.reorder))
  }

  /// The content moves page by page.
  @inlinable public static var paging: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.paging))
  }

  /// The user pulls to refresh.
  @inlinable public static var refresh: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.refresh))
  }
}

extension TraceRecorder {
  /// Records an interaction for the duration of `body`.
  ///
  /// - Parameters:
  ///   - kind: The kind of the interaction.
  ///   - surface: The surface that moves, or `nil` for all surfaces.
  ///   - body: The code that moves the content.
  public func withInteraction<Value: ~Copyable, Failure: Error>(
    _ kind: InteractionKind, surface: RecordedSurface? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginInteraction(kind, surface: surface)
    defer { endInteraction(token) }
    return try body()
  }

  /// Begins an interaction. Any thread may end it.
  public func beginInteraction(
    _ kind: InteractionKind, surface: RecordedSurface? = nil
  ) -> InteractionToken {
    guard let writer = pointer.enterToRecord() else {
      return InteractionToken(kind: kind.name, id: nil)
    }
    defer { pointer.leave(writer) }
    let time = writer.eventTime()
    let id = writer.takeAsyncID()
    store.locked { state in
      state.openInteractions.append(id)
      if state.openInteractions.count == 1 {
        pointer.control.pointee.motion?.begin(at: Int64(clamping: time))
        if let sampler = writer.pointee.sampler { scrolltrace_set_sampled_motion(sampler, time) }
      }
    }
    writer.writeDurable(
      .asyncBegin, SpanCategory.interaction.name, kind.name, at: time, tail: id,
      details: InteractionDetails(surface: surface?.name))
    return InteractionToken(kind: kind.name, id: id)
  }

  /// Ends an interaction.
  public func endInteraction(_ token: InteractionToken) {
    guard let id = token.id, let writer = pointer.enterToEnd() else { return }
    defer { pointer.leave(writer) }
    var isLast = false
    let isOpen = store.locked { state in
      // No search from the standard library, because it allocates in unoptimized builds.
      let last = state.openInteractions.count - 1
      var index = last
      while index >= 0, state.openInteractions[index] != id { index -= 1 }
      guard index >= 0 else { return false }
      state.openInteractions[index] = state.openInteractions[last]
      state.openInteractions.removeLast()
      isLast = last == 0
      if isLast, let sampler = writer.pointee.sampler { scrolltrace_set_sampled_motion(sampler, 0) }
      return true
    }
    guard isOpen else {
      pointer.control.countDuplicateEnd()
      return
    }
    let time = writer.eventTime()
    if isLast { pointer.control.pointee.motion?.end(at: Int64(clamping: time)) }
    writer.writeDurable(
      .asyncEnd, SpanCategory.interaction.name, token.kind, at: time, tail: id,
      details: NoDetails())
  }
}

/// An open interaction, which `TraceRecorder.endInteraction(_:)` ends.
public struct InteractionToken: Sendable {
  let kind: RecordedName
  /// The number that connects start and end, or `nil` if the interaction is not recorded.
  let id: UInt64?
}

private struct InteractionDetails: EventDetails {
  var surface: RecordedName?

  var keys: UInt64 { surface.bit(.surface) }
  var texts: (first: RecordedName?, second: RecordedName?) { (surface, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if surface != nil { record.argument(.surface, first) }
  }
}
