// The functions are called as the header calls them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CScrollTrace
internal import ScrollTraceRecorder

/// Ends work on an image.
@c @implementation
public func scrolltrace_span_end_image(
  _ span: UnsafeMutablePointer<scrolltrace_span>?, _ view: UInt64, _ bytes: UInt64
) {
  guard let token = takeSpan(span), let recorder = token.owner else { return }
  recorder.endImage(token, view: view.identifier, bytes: bytes.identifier)
}

/// Records an instant of an image's life.
@c @implementation
public func scrolltrace_image_mark(
  _ recorder: OpaquePointer?, _ mark: scrolltrace_name, _ item: UInt64, _ view: UInt64,
  _ bytes: UInt64
) {
  TraceRecorder(recorder)?.image(
    ImageMark(RecordedName(mark)), item: item.identifier, view: view.identifier,
    bytes: bytes.identifier)
}

/// Ends work on data.
@c @implementation
public func scrolltrace_span_end_data(
  _ span: UnsafeMutablePointer<scrolltrace_span>?, _ list: scrolltrace_name, _ view: UInt64
) {
  guard let token = takeSpan(span), let recorder = token.owner else { return }
  recorder.endData(token, list: ListID(ifGiven: list), view: view.identifier)
}

/// Records an instant of data's life.
@c @implementation
public func scrolltrace_data_mark(
  _ recorder: OpaquePointer?, _ mark: scrolltrace_name, _ list: scrolltrace_name,
  _ item: UInt64, _ view: UInt64
) {
  TraceRecorder(recorder)?.data(
    DataMark(RecordedName(mark)), list: ListID(ifGiven: list), item: item.identifier,
    view: view.identifier)
}

/// Ends the application of a snapshot.
@c @implementation
public func scrolltrace_span_end_snapshot(
  _ span: UnsafeMutablePointer<scrolltrace_span>?,
  _ snapshot: UnsafePointer<scrolltrace_snapshot>?
) {
  guard let token = takeSpan(span), let recorder = token.owner else { return }
  let known = readStructure(snapshot, defaults: .unknown) ?? .unknown
  let changes = SnapshotChanges(
    kind: RecordedName(ifGiven: known.kind), inserted: known.inserted.ifCounted,
    deleted: known.deleted.ifCounted, reconfigured: known.reconfigured.ifCounted,
    reloaded: known.reloaded.ifCounted)
  recorder.endSnapshot(token, to: ListID(ifGiven: known.list), changes)
}

extension scrolltrace_snapshot {
  /// A snapshot of which nothing is known: `SCROLLTRACE_SNAPSHOT_INIT`.
  fileprivate static var unknown: scrolltrace_snapshot {
    scrolltrace_snapshot(
      struct_size: MemoryLayout<scrolltrace_snapshot>.size, list: scrolltrace_name(),
      kind: scrolltrace_name(), inserted: -1, deleted: -1, reconfigured: -1, reloaded: -1)
  }
}
