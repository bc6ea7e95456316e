// Spans in C. The first two functions are called most, so their fast paths are inlined: a call in
// between would double the cost that C adds. They read nothing that the comparisons do not need, so
// NULL is detected by what does not match it: it is no writer's recorder and no entry's name.
//
// The functions have the header's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CRecorderShims
package import CScrollTrace

@c @implementation
package func scrolltrace_span_begin(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64
) -> scrolltrace_span {
  let writer = scrolltrace_get_writer().assumingMemoryBound(to: ThreadWriter.self)
  // A bit cast, because converting a pointer that may be NULL to a number takes a branch.
  let nameAddress = unsafeBitCast(name.text, to: UInt.self)
  let categoryAddress = unsafeBitCast(category.text, to: UInt.self)
  guard UnsafeRawPointer(writer).load(as: UInt.self) == unsafeBitCast(recorder, to: UInt.self),
    writer.pointee.control.mode == RecorderMode.on
  else { return beginSlow(recorder, name, category, item) }
  scrolltrace_enter()
  let entry = writer.headerEntry(nameAddress, categoryAddress)
  let stack = FastPathStack(writer)
  guard entry.pointee.name == nameAddress, entry.pointee.category == categoryAddress,
    stack.hasRoom, let now = writer.fastTime()
  else {
    scrolltrace_leave(writer)
    return beginSlow(recorder, name, category, item)
  }
  let begin = writer.takeBegin(now)
  if item == .max {
    let span = writer.pushFast(entry, item: nil, at: begin, onto: stack)
    scrolltrace_leave(writer)
    return scrolltrace_span(words: span.token(item: nil).words)
  }
  let span = writer.pushFast(entry, item: item, at: begin, onto: stack)
  scrolltrace_leave(writer)
  return scrolltrace_span(words: span.token(item: item).words)
}

@inline(never)
private func beginSlow(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64
) -> scrolltrace_span {
  guard let recorder else { return scrolltrace_span() }
  let token = RecorderPointer(recorder).beginSpan(
    RecordedName(name), RecordedName(category), item: item.identifier)
  return scrolltrace_span(words: token.words)
}

/// Ends a span and sets its first word to 0, so that it ends only once.
@c @implementation
package func scrolltrace_span_end(_ span: UnsafeMutablePointer<scrolltrace_span>?) {
  guard let span else { return }
  let token = SpanToken(words: span.pointee.words)
  span.pointee.words.0 = 0
  if let writer = token.writerHere {
    scrolltrace_enter()
    let hasEnded = writer.endFast(token)
    scrolltrace_leave(writer)
    if hasEnded { return }
  }
  endSlow(token)
}

@inline(never)
private func endSlow(_ token: SpanToken) { if token.writer != nil { token.endSlow() } }

extension RecordedName {
  /// Creates a name from the host's, which is empty if it has no bytes.
  package init(_ name: scrolltrace_name) {
    guard let text = name.text else {
      self = ""
      return
    }
    self.init(
      address: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: name.length)
  }
}

@c @implementation
package func scrolltrace_span_record(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64, _ begin: Int64, _ end: Int64
) {
  guard let begin = begin.ifKnown, let end = end.ifKnown else { return }
  withRecorder(recorder) {
    $0.recordSpan(
      RecordedName(name), SpanCategory(RecordedName(category)), from: begin, to: end,
      item: item.itemID)
  }
}

@c @implementation
package func scrolltrace_operation_record(
  _ recorder: OpaquePointer?, _ name: scrolltrace_name, _ category: scrolltrace_name,
  _ item: UInt64, _ begin: Int64, _ end: Int64
) {
  guard let begin = begin.ifKnown, let end = end.ifKnown else { return }
  withRecorder(recorder) {
    $0.recordTaskSpan(
      RecordedName(name), SpanCategory(RecordedName(category)), from: begin, to: end,
      item: item.itemID)
  }
}

@c @implementation
package func scrolltrace_span_end_cell(
  _ span: UnsafeMutablePointer<scrolltrace_span>?, _ cell: UnsafePointer<scrolltrace_cell>?
) {
  guard let token = takeSpan(span), let recorder = token.recorder else { return }
  recorder.endSpan(token, details: CellDetails(cell).completed(by: token))
}

@c @implementation
package func scrolltrace_cell_mark(
  _ recorder: OpaquePointer?, _ mark: scrolltrace_name, _ cell: UnsafePointer<scrolltrace_cell>?
) {
  withRecorder(recorder) { $0.markCell(CellMark(RecordedName(mark)), CellDetails(cell)) }
}

@c @implementation
package func scrolltrace_cell_record(
  _ recorder: OpaquePointer?, _ step: scrolltrace_name,
  _ cell: UnsafePointer<scrolltrace_cell>?, _ begin: Int64, _ end: Int64
) {
  guard let begin = begin.ifKnown, let end = end.ifKnown else { return }
  withRecorder(recorder) {
    $0.recordCell(CellStep(RecordedName(step)), CellDetails(cell), from: begin, to: end)
  }
}

extension CellDetails {
  init(_ given: UnsafePointer<scrolltrace_cell>?) {
    self.init()
    guard let cell = readStructure(given, defaults: .unknown) else { return }
    list = ListID(ifGiven: cell.list)
    item = cell.item.itemID
    position = cell.position.ifCounted
    viewID = cell.view.identifier
    kind = RecordedName(ifGiven: cell.kind)
    registrationID = cell.registration.identifier
    isReused = cell.reused < 0 ? nil : cell.reused != 0
    isPreparedAhead = cell.ahead < 0 ? nil : cell.ahead != 0
    estimatedSize = cell.estimated_size >= 0 ? cell.estimated_size : nil
    size = cell.size >= 0 ? cell.size : nil
  }
}

extension scrolltrace_cell {
  /// Details without any known value: `SCROLLTRACE_CELL_INIT`.
  fileprivate static var unknown: scrolltrace_cell {
    scrolltrace_cell(
      struct_size: MemoryLayout<scrolltrace_cell>.size, item: .max, view: .max, position: -1,
      registration: .max, list: scrolltrace_name(), kind: scrolltrace_name(),
      estimated_size: -1, size: -1, reused: -1, ahead: -1)
  }
}

@c @implementation
package func scrolltrace_span_end_image(
  _ span: UnsafeMutablePointer<scrolltrace_span>?, _ view: UInt64, _ bytes: UInt64
) {
  guard let token = takeSpan(span), let recorder = token.recorder else { return }
  recorder.endSpan(
    token,
    details: ContentDetails(
      item: token.knownItem, view: view.identifier, bytes: bytes.identifier))
}

@c @implementation
package func scrolltrace_image_mark(
  _ recorder: OpaquePointer?, _ mark: scrolltrace_name, _ item: UInt64, _ view: UInt64,
  _ bytes: UInt64
) {
  withRecorder(recorder) {
    $0.markImage(
      ImageMark(RecordedName(mark)), item: item.itemID, viewID: view.identifier,
      bytes: bytes.identifier)
  }
}

@c @implementation
package func scrolltrace_span_end_data(
  _ span: UnsafeMutablePointer<scrolltrace_span>?, _ list: scrolltrace_name, _ view: UInt64
) {
  guard let token = takeSpan(span), let recorder = token.recorder else { return }
  recorder.endSpan(
    token,
    details: ContentDetails(
      list: ListID(ifGiven: list), item: token.knownItem, view: view.identifier))
}

@c @implementation
package func scrolltrace_data_mark(
  _ recorder: OpaquePointer?, _ mark: scrolltrace_name, _ list: scrolltrace_name,
  _ item: UInt64, _ view: UInt64
) {
  withRecorder(recorder) {
    $0.markData(
      DataMark(RecordedName(mark)), list: ListID(ifGiven: list), item: item.itemID,
      viewID: view.identifier)
  }
}

@c @implementation
package func scrolltrace_span_end_snapshot(
  _ span: UnsafeMutablePointer<scrolltrace_span>?,
  _ snapshot: UnsafePointer<scrolltrace_snapshot>?
) {
  guard let token = takeSpan(span), let recorder = token.recorder else { return }
  let known = readStructure(snapshot, defaults: .unknown) ?? .unknown
  let changes = SnapshotChanges(
    kind: RecordedName(ifGiven: known.kind), inserted: known.inserted.ifCounted,
    deleted: known.deleted.ifCounted, reconfigured: known.reconfigured.ifCounted,
    reloaded: known.reloaded.ifCounted)
  recorder.endSpan(
    token, details: SnapshotDetails(list: ListID(ifGiven: known.list), changes: changes))
}

extension scrolltrace_snapshot {
  /// A snapshot without any known value: `SCROLLTRACE_SNAPSHOT_INIT`.
  fileprivate static var unknown: scrolltrace_snapshot {
    scrolltrace_snapshot(
      struct_size: MemoryLayout<scrolltrace_snapshot>.size, list: scrolltrace_name(),
      kind: scrolltrace_name(), inserted: -1, deleted: -1, reconfigured: -1, reloaded: -1)
  }
}
