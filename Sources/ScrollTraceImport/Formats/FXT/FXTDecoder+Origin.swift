internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The records of a file converted from another trace: that trace's metadata.
extension FXTDecoder {
  /// Reads the other trace's metadata; the records after it belong to its copy.
  mutating func readOrigin(_ event: FXTEvent) {
    var origin = FXTOrigin()
    if case .bool(let isClosed)? = value(of: keys.closed) { origin.wasClosed = isClosed }
    if case .bool(let hasKnownLength)? = value(of: keys.hasKnownLength) {
      origin.hasKnownLength = hasKnownLength
    }
    if let begin = instant(of: keys.begin, event), let end = instant(of: keys.end, event) {
      origin.range = TimeRange(start: begin, end: end)
    }
    if let weight = number(of: keys.weight, event) {
      origin.weight = min(max(1, weight), RecordingLayout.Session.mostWeight)
    }
    if let chunks = number(of: keys.ringChunks, event) {
      var ring = RecordingRing(
        chunkCount: chunks,
        overwrittenChunkCount: number(of: keys.overwrittenChunks, event) ?? 0)
      ring.start = instant(of: keys.keptSince, event)
      origin.ring = ring
    }
    if let cost = number(of: keys.recordCost, event) {
      origin.cost = RecorderCost(
        picosecondsPerRecord: cost, recordCount: number(of: keys.records, event) ?? 0,
        mainRecordCount: number(of: keys.mainRecords, event) ?? 0,
        picosecondsPerReading: number(of: keys.readingCost, event) ?? 0,
        readingCount: number(of: keys.readings, event) ?? 0,
        mainReadingCount: number(of: keys.mainReadings, event) ?? 0,
        sampling: number(of: keys.sampleSignals, event).map { count in
          SamplingCost(
            signalCount: count, nanoseconds: number(of: keys.sampleTime, event) ?? 0,
            samplerNanoseconds: number(of: keys.samplerTime, event) ?? 0)
        })
    }
    profile.origin = origin
  }

  /// Reads a loss; returns `false` if its reason is unknown.
  mutating func readLoss(_ event: FXTEvent) -> Bool {
    guard let reason = Loss.Reason(rawValue: text(of: labelNames[event.label.id] ?? .empty)) else {
      return false
    }
    builder.offset = number(of: keys.offset, event)
    builder.countLoss(reason, count: number(of: keys.count, event) ?? 1)
    builder.offset = nil
    return true
  }

  /// Reads a notice; returns `false` if its kind is unknown.
  mutating func readNotice(_ event: FXTEvent) -> Bool {
    typealias Word = Vocabulary.Notice
    let count = number(of: keys.count, event).flatMap { Int(exactly: $0) } ?? 0
    let notice: Notice
    switch text(of: labelNames[event.label.id] ?? .empty) {
    case Word.notClosed.description: notice = .notClosed
    case Word.keepsLastPart.description:
      notice = .keepsLastPart(
        length: instant(of: keys.duration, event).map { $0 - .zero },
        overwrittenChunks: UInt64(count))
    case Word.presentedBeforeBegin.description:
      notice = .presentedBeforeStart(surface: name(of: keys.surface), count: count)
    case Word.noMainTrack.description: notice = .noMainTrack
    case Word.noFrames.description: notice = .noFrames
    case Word.repeatedFrameNumbers.description:
      notice = .repeatedFrameNumbers(surface: name(of: keys.surface), count: count)
    case Word.unfinishedSpans.description: notice = .unfinishedSpans(count: count)
    case Word.source.description: notice = .source(name(of: keys.text))
    default: return false
    }
    if builder.noticeCount < Self.maximumNoticeCount {
      builder.addNotice(notice)
    } else {
      lose(.limitReached, at: event.offset)
    }
    return true
  }

  /// More than a trace with the maximum number of surfaces has.
  private static var maximumNoticeCount: Int { 256 }

  /// Gives the trace the other one's metadata, after everything else is read.
  mutating func finishOrigin(_ origin: FXTOrigin) {
    builder.source.wasClosed = origin.wasClosed
    builder.samplesExtendRange = false
    builder.source.hasKnownLength = origin.hasKnownLength
    builder.source.weight = origin.weight
    builder.source.ring = origin.ring
    builder.source.recorderCost = origin.cost
    if let range = origin.range, profile.isFirstFile { builder.setRange(range) }
  }

  // MARK: - Arguments

  private func value(of key: StringID) -> ArgumentValue? {
    arguments.first { $0.key == key }?.value
  }

  private mutating func number(of key: StringID, _ event: FXTEvent) -> UInt64? {
    guard let value = value(of: key) else { return nil }
    if let number = value.unsigned { return number }
    lose(.invalidValue, at: event.offset)
    return nil
  }

  private mutating func instant(of key: StringID, _ event: FXTEvent) -> Timestamp? {
    value(of: key).flatMap { time(of: $0, at: event.offset) }
  }

  private mutating func name(of key: StringID) -> String {
    guard case .string(let id)? = value(of: key) else { return "" }
    return text(of: id)
  }
}
