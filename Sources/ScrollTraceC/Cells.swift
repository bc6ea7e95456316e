// The functions are called as the header calls them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CScrollTrace
internal import ScrollTraceRecorder

/// Ends a step of a cell's preparation.
@c @implementation
public func scrolltrace_span_end_cell(
  _ span: UnsafeMutablePointer<scrolltrace_span>?, _ cell: UnsafePointer<scrolltrace_cell>?
) {
  guard let token = takeSpan(span), let recorder = token.owner else { return }
  recorder.endCell(token, CellDetails(cell))
}

/// Records an instant of a cell's life.
@c @implementation
public func scrolltrace_cell_mark(
  _ recorder: OpaquePointer?, _ mark: scrolltrace_name, _ cell: UnsafePointer<scrolltrace_cell>?
) {
  TraceRecorder(recorder)?.cell(CellMark(RecordedName(mark)), CellDetails(cell))
}

/// Records a step of a cell's preparation after the fact.
@c @implementation
public func scrolltrace_cell_record(
  _ recorder: OpaquePointer?, _ step: scrolltrace_name,
  _ cell: UnsafePointer<scrolltrace_cell>?, _ begin: Int64, _ end: Int64
) {
  guard let recorder = TraceRecorder(recorder), let begin = begin.ifKnown, let end = end.ifKnown
  else { return }
  recorder.recordCell(CellStep(RecordedName(step)), CellDetails(cell), from: begin, to: end)
}

extension CellDetails {
  /// What a host knows of a cell.
  init(_ given: UnsafePointer<scrolltrace_cell>?) {
    self.init()
    guard let cell = readStructure(given, defaults: .unknown) else { return }
    list = ListID(ifGiven: cell.list)
    item = cell.item.identifier
    position = cell.position.ifCounted
    view = cell.view.identifier
    kind = RecordedName(ifGiven: cell.kind)
    registration = cell.registration.identifier
    reused = cell.reused < 0 ? nil : cell.reused != 0
    ahead = cell.ahead < 0 ? nil : cell.ahead != 0
    estimatedSize = cell.estimated_size >= 0 ? cell.estimated_size : nil
    size = cell.size >= 0 ? cell.size : nil
  }
}

extension scrolltrace_cell {
  /// A cell of which nothing is known: `SCROLLTRACE_CELL_INIT`.
  fileprivate static var unknown: scrolltrace_cell {
    scrolltrace_cell(
      struct_size: MemoryLayout<scrolltrace_cell>.size, item: .max, view: .max, position: -1,
      registration: .max, list: scrolltrace_name(), kind: scrolltrace_name(),
      estimated_size: -1, size: -1, reused: -1, ahead: -1)
  }
}
