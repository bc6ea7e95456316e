// The functions are called as the header calls them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CScrollTrace
internal import ScrollTraceRecorder

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
