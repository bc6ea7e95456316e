// The functions are called as the header calls them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CScrollTrace
internal import ScrollTraceRecorder

/// Records that something happened now.
@c @implementation
public func scrolltrace_mark(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64
) {
  TraceRecorder(recorder)?.mark(
    RecordedName(name), SpanCategory(RecordedName(category)), item: item.identifier)
}

/// Records a sample of a number that counts.
@c @implementation
public func scrolltrace_counter(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ value: Int64
) {
  TraceRecorder(recorder)?.counter(RecordedName(name), Int(clamping: value))
}

/// Records a sample of a number that measures.
@c @implementation
public func scrolltrace_counter_real(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ value: Double
) {
  TraceRecorder(recorder)?.counter(RecordedName(name), value)
}

/// Records that a state holds from now on.
@c @implementation
public func scrolltrace_state_set(
  _ recorder: OpaquePointer?, _ key: scrolltrace_name, _ value: scrolltrace_name
) {
  TraceRecorder(recorder)?.state(RecordedName(key), String(value))
}

/// Records that a state holds no more.
@c @implementation
public func scrolltrace_state_clear(_ recorder: OpaquePointer?, _ key: scrolltrace_name) {
  TraceRecorder(recorder)?.state(RecordedName(key), nil)
}

/// Begins an arrow.
@c @implementation
public func scrolltrace_flow_begin(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ id: UInt64
) {
  TraceRecorder(recorder)?.beginFlow(
    RecordedName(name), SpanCategory(RecordedName(category)), id: id)
}

/// Leads an arrow on.
@c @implementation
public func scrolltrace_flow_step(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ id: UInt64
) {
  TraceRecorder(recorder)?.stepFlow(
    RecordedName(name), SpanCategory(RecordedName(category)), id: id)
}

/// Ends an arrow.
@c @implementation
public func scrolltrace_flow_end(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ id: UInt64
) {
  TraceRecorder(recorder)?.endFlow(
    RecordedName(name), SpanCategory(RecordedName(category)), id: id)
}
