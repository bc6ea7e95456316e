// The functions are called as the header calls them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CScrollTrace
internal import ScrollTraceRecorder

/// Begins a span.
@c @implementation
public func scrolltrace_span_begin(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64
) -> scrolltrace_span {
  guard let recorder, let text = name.text else {
    return beginWithNothing(recorder, name, category, item)
  }
  return scrolltrace_span(
    TraceRecorder.beginSpan(
      handle: UnsafeRawPointer(recorder), name: UnsafeRawPointer(text), nameCount: name.length,
      category: UInt(bitPattern: category.text), categoryCount: category.length, item: item))
}

/// Begins a span whose recorder or name is NULL.
@inline(never)
private func beginWithNothing(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64
) -> scrolltrace_span {
  guard let recorder = TraceRecorder(recorder) else { return scrolltrace_span() }
  return scrolltrace_span(
    recorder.beginSpan(
      RecordedName(name), SpanCategory(RecordedName(category)), item: item.identifier))
}

/// Ends a span.
@c @implementation
public func scrolltrace_span_end(_ span: UnsafeMutablePointer<scrolltrace_span>?) {
  guard let span else { return }
  TraceRecorder.endSpan(at: UnsafeMutableRawPointer(span))
}

/// Records a span after the fact.
@c @implementation
public func scrolltrace_span_record(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64, _ begin: Int64, _ end: Int64
) {
  guard let recorder = TraceRecorder(recorder), let begin = begin.ifKnown, let end = end.ifKnown
  else { return }
  recorder.recordSpan(
    RecordedName(name), SpanCategory(RecordedName(category)), from: begin, to: end,
    item: item.identifier)
}
