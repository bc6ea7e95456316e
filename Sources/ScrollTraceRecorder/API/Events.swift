internal import ScrollTraceLayout

extension TraceRecorder {
  /// Records an event at the current time.
  public func mark(_ name: RecordedName, _ category: SpanCategory = .work, item: ItemID? = nil) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.writeInstant(name, category, details: ItemDetails(item: item?.number))
    pointer.leave(writer)
  }

  /// Sets a state from now on, or clears it if `value` is `nil`.
  ///
  /// Reports can be filtered by state: `recorder.setState("screen", to: "Feed")`. Values are kept
  /// for the lifetime of the process, so use a small number of them, not one for each item.
  ///
  /// Two states have a special meaning. `host` names the toolkit, so that advice uses its terms: `UIKit`,
  /// `AppKit`, `SwiftUI`, `Compose`, `RecyclerView`, `Flutter`, `GTK`, `Qt Quick`, `web` or `game`. A state
  /// whose key contains `thermal` or `lowPower` separates the frames of a throttled device from the others.
  public func setState(_ key: RecordedName, to value: String?) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.writeDurable(
      .instant, SpanCategory.state.name, key, at: writer.eventTime(),
      details: StateDetails(key: key, value: value.map(store.intern)))
    pointer.leave(writer)
  }

  /// Records a counter value, such as the number of bytes in a cache.
  public func recordCounter(_ name: RecordedName, _ value: Int) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.writeCounter(name, details: CounterDetails.integer(Int64(value)))
    pointer.leave(writer)
  }

  /// Records a counter value, such as a scroll offset.
  public func recordCounter(_ name: RecordedName, _ value: Double) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.writeCounter(name, details: CounterDetails.double(value))
    pointer.leave(writer)
  }

  /// Begins a flow, for example from a request to the work that answers it. The number identifies it.
  package func beginFlow(_ name: RecordedName, _ category: SpanCategory = .data, id: UInt64) {
    writeFlow(.flowBegin, name, category, id)
  }

  /// Continues a flow in the innermost open span.
  package func stepFlow(_ name: RecordedName, _ category: SpanCategory = .data, id: UInt64) {
    writeFlow(.flowStep, name, category, id)
  }

  /// Ends a flow in the innermost open span.
  package func endFlow(_ name: RecordedName, _ category: SpanCategory = .data, id: UInt64) {
    writeFlow(.flowEnd, name, category, id)
  }

  private func writeFlow(
    _ kind: FXT.EventType, _ name: RecordedName, _ category: SpanCategory, _ id: UInt64
  ) {
    guard let writer = pointer.enterToRecord() else { return }
    defer { pointer.leave(writer) }
    let time = writer.eventTime()
    guard let reference = writer.reference(category: category.name, name: name) else { return }
    writer.writeEvent(kind, reference, at: time, tail: id, details: NoDetails())
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// The time of an event that is not a span: the current time, within all open spans.
  ///
  /// The time is later than the start of the innermost span. A reader that sorts events by time,
  /// and events of equal time by their offset in the file, therefore finds the event inside that
  /// span, although the span is written later.
  func eventTime() -> UInt64 {
    let time = Swift.max(readClock(), pointee.earliestBegin)
    pointee.earliestEnd = Swift.max(pointee.earliestEnd, time)
    return time
  }

  func writeInstant(_ name: RecordedName, _ category: SpanCategory, details: some EventDetails) {
    let time = eventTime()
    guard let reference = reference(category: category.name, name: name) else { return }
    writeEvent(.instant, reference, at: time, details: details)
  }

  func writeCounter(_ name: RecordedName, details: some EventDetails) {
    let time = eventTime()
    guard let reference = reference(category: SpanCategory.counter.name, name: name) else { return }
    writeEvent(.counter, reference, at: time, tail: 0, details: details)
  }
}

private struct StateDetails: EventDetails {
  var key: RecordedName
  var value: RecordedName?

  var keys: UInt64 { Vocabulary.Key.key.bit | value.bit(.value) }
  var texts: (first: RecordedName?, second: RecordedName?) { (key, value) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.key, first)
    if value != nil { record.argument(.value, second) }
  }
}

private enum CounterDetails: EventDetails {
  case integer(Int64)
  case double(Double)

  var keys: UInt64 { Vocabulary.Key.value.bit }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    switch self {
    case .integer(let value): record.argument(.value, value)
    case .double(let value): record.argument(.value, value)
    }
  }
}
