// The functions are called as the header calls them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CScrollTrace
internal import ScrollTraceRecorder

/// Begins an interaction.
@c @implementation
public func scrolltrace_interaction_begin(
  _ recorder: OpaquePointer?, _ kind: scrolltrace_name, _ surface: OpaquePointer?
) -> scrolltrace_interaction {
  guard let recorder = TraceRecorder(recorder) else { return scrolltrace_interaction() }
  let token = recorder.beginInteraction(
    InteractionKind(RecordedName(kind)), surface: Surface(surface))
  guard let id = token.parts.id else { return scrolltrace_interaction() }
  let name = token.parts.kind
  return scrolltrace_interaction(
    words: (
      UInt64(UInt(bitPattern: recorder.handle)), UInt64(UInt(bitPattern: name.address)),
      UInt64(UInt(bitPattern: name.count)), id
    ))
}

/// Ends an interaction.
@c @implementation
public func scrolltrace_interaction_end(
  _ interaction: UnsafeMutablePointer<scrolltrace_interaction>?
) {
  guard let interaction else { return }
  let words = interaction.pointee.words
  interaction.pointee = scrolltrace_interaction()
  guard let recorder = UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: words.0)),
    let address = UnsafePointer<UInt8>(bitPattern: UInt(truncatingIfNeeded: words.1))
  else { return }
  let kind = RecordedName(address: address, count: Int(truncatingIfNeeded: words.2))
  TraceRecorder(handle: recorder).endInteraction(InteractionToken(parts: (kind, words.3)))
}
