extension TraceRecorder {
  /// Records a hitch that the system reports by itself, where the frames around it are not known.
  ///
  /// A surface holds either frames or such hitches.
  ///
  /// - Parameters:
  ///   - begin: When the old frame should have given way.
  ///   - length: How long it stayed.
  ///   - interval: The refresh interval; `nil` where unknown.
  ///   - label: The system's own word for it.
  ///   - surface: The surface; `nil` for the one called "display".
  public func hitch(
    at begin: Nanoseconds, length: Nanoseconds, interval: Nanoseconds? = nil,
    label: RecordedName? = nil, surface: Surface? = nil
  ) {
    guard takesEvent() else { return }
    let writer = writer
    let name = (surface ?? defaultSurface).name
    guard let reference = writer.reference(category: SpanCategory.hitch.name, name: name) else {
      return
    }
    writer.writeEvent(
      .instant, reference, at: UInt64(max(0, begin)),
      details: HitchDetails(length: length, interval: interval, label: label))
    noteHitch(of: length, until: begin)
  }
}

/// What is known of a listed hitch.
private struct HitchDetails: EventDetails {
  var length: Nanoseconds
  var interval: Nanoseconds?
  var label: RecordedName?

  var keys: UInt64 {
    ArgumentKey.duration.bit | interval.bit(.interval) | label.bit(.label)
  }
  var texts: (first: RecordedName?, second: RecordedName?) { (label, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.duration, max(0, length))
    if let interval { record.argument(.interval, interval) }
    if label != nil { record.argument(.label, first) }
  }
}
