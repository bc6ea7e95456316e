// The functions have the header's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import CScrollTrace

@c @implementation
package func scrolltrace_mark(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64
) {
  withRecorder(recorder) {
    $0.mark(RecordedName(name), SpanCategory(RecordedName(category)), item: item.itemID)
  }
}

@c @implementation
package func scrolltrace_counter(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ value: Int64
) {
  withRecorder(recorder) { $0.recordCounter(RecordedName(name), Int(clamping: value)) }
}

@c @implementation
package func scrolltrace_counter_real(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ value: Double
) {
  withRecorder(recorder) { $0.recordCounter(RecordedName(name), value) }
}

@c @implementation
package func scrolltrace_state_set(
  _ recorder: OpaquePointer?, _ key: scrolltrace_name, _ value: scrolltrace_name
) {
  withRecorder(recorder) { $0.setState(RecordedName(key), to: String(value)) }
}

@c @implementation
package func scrolltrace_state_clear(_ recorder: OpaquePointer?, _ key: scrolltrace_name) {
  withRecorder(recorder) { $0.setState(RecordedName(key), to: nil) }
}

@c @implementation
package func scrolltrace_flow_begin(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ id: UInt64
) {
  withRecorder(recorder) {
    $0.beginFlow(RecordedName(name), SpanCategory(RecordedName(category)), id: id)
  }
}

@c @implementation
package func scrolltrace_flow_step(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ id: UInt64
) {
  withRecorder(recorder) {
    $0.stepFlow(RecordedName(name), SpanCategory(RecordedName(category)), id: id)
  }
}

@c @implementation
package func scrolltrace_flow_end(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ id: UInt64
) {
  withRecorder(recorder) {
    $0.endFlow(RecordedName(name), SpanCategory(RecordedName(category)), id: id)
  }
}

@c @implementation
package func scrolltrace_interaction_begin(
  _ recorder: OpaquePointer?, _ kind: scrolltrace_name, _ surface: OpaquePointer?
) -> scrolltrace_interaction {
  let token = withRecorder(recorder) {
    $0.beginInteraction(InteractionKind(RecordedName(kind)), surface: RecordedSurface(surface))
  }
  guard let token, let id = token.id else { return scrolltrace_interaction() }
  return scrolltrace_interaction(
    words: (
      UInt64(UInt(bitPattern: recorder)), UInt64(UInt(bitPattern: token.kind.start)),
      UInt64(UInt(bitPattern: token.kind.length)), id
    ))
}

@c @implementation
package func scrolltrace_interaction_end(
  _ interaction: UnsafeMutablePointer<scrolltrace_interaction>?
) {
  guard let interaction else { return }
  let words = interaction.pointee.words
  interaction.pointee = scrolltrace_interaction()
  guard let recorder = OpaquePointer(bitPattern: UInt(truncatingIfNeeded: words.0)),
    let address = UnsafePointer<UInt8>(bitPattern: UInt(truncatingIfNeeded: words.1))
  else { return }
  let kind = RecordedName(address: address, count: Int(truncatingIfNeeded: words.2))
  withRecorder(recorder) { $0.endInteraction(InteractionToken(kind: kind, id: words.3)) }
}

@c @implementation
package func scrolltrace_register_name(
  _ recorder: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int
) -> scrolltrace_name {
  guard let text else { return scrolltrace_name() }
  // One byte more than a name may have is enough for the name to be rejected.
  let count = min(UInt(bitPattern: length), 4_001)
  let bytes = UnsafeRawBufferPointer(start: text, count: Int(bitPattern: count))
  let name = withRecorder(recorder) { $0.registerName(String(decoding: bytes, as: UTF8.self)) }
  return name.map(scrolltrace_name.init) ?? scrolltrace_name()
}

@c @implementation
package func scrolltrace_get_surface(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ tolerance: Int64
) -> OpaquePointer? {
  let surface = withRecorder(recorder) {
    $0.registerSurface(
      named: String(name),
      options: SurfaceOptions(tolerance: tolerance < 0 ? nil : .nanoseconds(tolerance)))
  }
  return surface.map { OpaquePointer($0.handle) }
}

@c @implementation
package func scrolltrace_set_thread_name(_ recorder: OpaquePointer?, _ name: scrolltrace_name) {
  withRecorder(recorder) { $0.nameThread(String(name)) }
}
