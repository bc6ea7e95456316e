internal import ScrollTraceLayout

extension TraceRecorder {
  /// Records that something happened now.
  public func mark(_ name: RecordedName, _ category: SpanCategory = .work, item: ItemID? = nil) {
    guard shouldRecordEvent() else { return }
    writer.writeInstant(name, category, details: ItemDetails(item: item?.number))
  }

  /// Records that a state holds from now on; `nil` clears it.
  ///
  /// Reports can be split by states: `recorder.setState("screen", to: "Feed")`. Values are kept for the life
  /// of the process, so they should be few: not one for each item.
  public func setState(_ key: RecordedName, to value: String?) {
    guard shouldRecordEvent() else { return }
    let store = control.pointee.store.takeUnretainedValue()
    let writer = writer
    writer.writeDurable(
      .instant, SpanCategory.state.name, key, at: writer.eventTime(),
      details: StateDetails(key: key, value: value.map(store.intern)))
  }

  /// Records a sample of a number, such as the bytes in a cache.
  public func recordCounter(_ name: RecordedName, _ value: Int) {
    guard shouldRecordEvent() else { return }
    writer.writeCounter(name, details: CountDetails(value: Int64(value)))
  }

  /// Records a sample of a number, such as a scroll offset.
  public func recordCounter(_ name: RecordedName, _ value: Double) {
    guard shouldRecordEvent() else { return }
    writer.writeCounter(name, details: MeasureDetails(value: value))
  }

  /// Begins an arrow, for example from a request to the work that answers it. All parts of one arrow
  /// have the same `id`.
  public func beginFlow(_ name: RecordedName, _ category: SpanCategory = .data, id: UInt64) {
    guard shouldRecordEvent() else { return }
    writer.writeFlow(.flowBegin, name, category, id: id)
  }

  /// Leads an arrow through the span that is open now.
  public func stepFlow(_ name: RecordedName, _ category: SpanCategory = .data, id: UInt64) {
    guard shouldRecordEvent() else { return }
    writer.writeFlow(.flowStep, name, category, id: id)
  }

  /// Ends an arrow in the span that is open now.
  public func endFlow(_ name: RecordedName, _ category: SpanCategory = .data, id: UInt64) {
    guard shouldRecordEvent() else { return }
    writer.writeFlow(.flowEnd, name, category, id: id)
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// The time of an event that is no span: now, but inside the spans that are open.
  ///
  /// It lies behind the start of the innermost one: a reader that takes events by time, and those of
  /// one time as they stand in the file, finds the event inside the span that is written later.
  func eventTime() -> UInt64 {
    let time = Swift.max(readClock(), pointee.earliestBegin)
    pointee.earliestEnd = Swift.max(pointee.earliestEnd, time)
    return time
  }

  /// Writes an instant.
  func writeInstant(
    _ name: RecordedName, _ category: SpanCategory, details: some EventDetails
  ) {
    let time = eventTime()
    guard let reference = reference(category: category.name, name: name) else { return }
    writeEvent(.instant, reference, at: time, details: details)
  }

  /// Writes a sample of a counter.
  func writeCounter(_ name: RecordedName, details: some EventDetails) {
    let time = eventTime()
    guard
      let reference = reference(category: SpanCategory.counter.name, name: name)
    else { return }
    writeEvent(.counter, reference, at: time, tail: 0, details: details)
  }

  /// Writes a point of an arrow.
  func writeFlow(
    _ kind: FXT.EventType, _ name: RecordedName, _ category: SpanCategory, id: UInt64
  ) {
    let time = eventTime()
    guard let reference = reference(category: category.name, name: name) else { return }
    writeEvent(kind, reference, at: time, tail: id, details: NoDetails())
  }
}

/// Key and value of a state.
private struct StateDetails: EventDetails {
  var key: RecordedName
  var value: RecordedName?

  var keys: UInt64 { ArgumentKey.key.bit | value.bit(.value) }
  var texts: (first: RecordedName?, second: RecordedName?) { (key, value) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.key, first)
    if value != nil { record.argument(.value, second) }
  }
}

/// The sample of a counter that counts.
private struct CountDetails: EventDetails {
  var value: Int64

  var keys: UInt64 { ArgumentKey.value.bit }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.value, value)
  }
}

/// The sample of a counter that measures.
private struct MeasureDetails: EventDetails {
  var value: Double

  var keys: UInt64 { ArgumentKey.value.bit }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.value, value)
  }
}
