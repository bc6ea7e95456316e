// The two functions of the C interface that are called most, as the header declares them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
//
// All others lie in a target of their own. These are here since no other module can have the quick
// paths inlined: a call between would cost as much again as C may add. They look at nothing that the
// comparisons do not need, so NULL is told apart by what it is unlike: no writer's recorder and no
// entry's name.

internal import CRecorderShims
package import CScrollTrace
internal import ScrollTraceLayout
internal import Synchronization

/// Begins a span of the calling thread.
@c @implementation
package func scrolltrace_span_begin(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64
) -> scrolltrace_span {
  let writer = scrolltrace_get_writer().assumingMemoryBound(to: ThreadWriter.self)
  // A bit cast, since turning what may be NULL into a number takes a branch.
  let nameAddress = unsafeBitCast(name.text, to: UInt.self)
  let categoryAddress = unsafeBitCast(category.text, to: UInt.self)
  let entry = writer.headerEntry(nameAddress, categoryAddress)
  guard UnsafeRawPointer(writer).load(as: UInt.self) == unsafeBitCast(recorder, to: UInt.self),
    entry.pointee.name == nameAddress, entry.pointee.category == categoryAddress,
    writer.pointee.control.pointee.mode.load(ordering: .relaxed) == RecorderMode.on
  else { return beginSlowly(recorder, name, category, item) }
  let stack = QuickStack(writer)
  guard stack.hasRoom, let now = writer.quickTime() else {
    return beginSlowly(recorder, name, category, item)
  }
  let begin = writer.takeBegin(now)
  if item == .max {
    let span = writer.pushQuickly(entry, item: nil, at: begin, onto: stack)
    return scrolltrace_span(words: span.token(item: nil).words)
  }
  let span = writer.pushQuickly(entry, item: item, at: begin, onto: stack)
  return scrolltrace_span(words: span.token(item: item).words)
}

@inline(never)
private func beginSlowly(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64
) -> scrolltrace_span {
  guard let recorder else { return scrolltrace_span() }
  let token = TraceRecorder(handle: UnsafeRawPointer(recorder)).beginSpan(
    RecordedName(name), SpanCategory(RecordedName(category)), item: item == .max ? nil : item)
  return scrolltrace_span(words: token.words)
}

/// Ends a span, and makes its first word 0, so that it ends once.
@c @implementation
package func scrolltrace_span_end(_ span: UnsafeMutablePointer<scrolltrace_span>?) {
  guard let span else { return }
  let token = SpanToken(words: span.pointee.words)
  span.pointee.words.0 = 0
  if let writer = token.writerHere, writer.endQuickly(token) { return }
  endSlowly(token)
}

@inline(never)
private func endSlowly(_ token: SpanToken) {
  if token.writer != nil { token.endSlowly() }
}

extension RecordedName {
  /// A name that a host in C gives; the empty text for one without bytes.
  package init(_ name: scrolltrace_name) {
    guard let text = name.text else {
      self = ""
      return
    }
    self.init(
      address: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: name.length)
  }
}
