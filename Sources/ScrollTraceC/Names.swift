// The functions are called as the header calls them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CScrollTrace
internal import ScrollTraceRecorder

/// A name of a text that is only known at run time.
@c @implementation
public func scrolltrace_register_name(
  _ recorder: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int
) -> scrolltrace_name {
  guard let recorder = TraceRecorder(recorder), let text else { return scrolltrace_name() }
  // One byte more than a name may have is enough to be refused.
  let count = min(UInt(bitPattern: length), 4_001)
  let bytes = UnsafeRawBufferPointer(start: text, count: Int(bitPattern: count))
  return scrolltrace_name(recorder.name(String(decoding: bytes, as: UTF8.self)))
}

/// The surface of a name.
@c @implementation
public func scrolltrace_get_surface(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ tolerance: Int64
) -> OpaquePointer? {
  guard let recorder = TraceRecorder(recorder) else { return nil }
  let surface = recorder.surface(
    String(name), tolerance: tolerance < 0 ? nil : tolerance)
  return OpaquePointer(surface.handle)
}

/// Names the calling thread.
@c @implementation
public func scrolltrace_set_thread_name(_ recorder: OpaquePointer?, _ name: scrolltrace_name) {
  TraceRecorder(recorder)?.nameThread(String(name))
}
