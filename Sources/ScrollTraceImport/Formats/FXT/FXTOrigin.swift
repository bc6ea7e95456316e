internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The metadata of the trace from which a file was converted.
struct FXTOrigin {
  /// More than a trace with the maximum number of surfaces has.
  private static let maximumNoticeCount = 256

  /// A Boolean value indicating whether its recording was finished, or `nil` if unknown.
  private var wasClosed: Bool?
  /// A Boolean value indicating whether its range is the whole recording.
  private var hasKnownLength = true
  /// Its range, or `nil` if the file does not state it.
  private var range: TimeRange?
  /// The number of recordings that it stands for, or `nil` if the file does not state it.
  private var weight: UInt64?
  /// The ring it was recorded in.
  private var ring: RecordingRing?
  /// The cost of its recorder.
  private var cost: RecorderCost?

  /// Reads the other trace's metadata; the records after it belong to its copy.
  init(_ arguments: FXTArguments, _ trace: inout FXTTrace) {
    func number(_ key: Vocabulary.Key) -> UInt64? { arguments.number(of: key, &trace) }
    func bool(_ key: Vocabulary.Key) -> Bool? {
      guard case .bool(let truth)? = arguments.value(of: key, trace.words) else { return nil }
      return truth
    }
    wasClosed = bool(.closed)
    hasKnownLength = bool(.tellsLength) ?? true
    if let begin = arguments.time(of: .begin, &trace), let end = arguments.time(of: .end, &trace) {
      range = TimeRange(start: begin, end: end)
    }
    if let weight = number(.weight) {
      self.weight = min(max(1, weight), RecordingLayout.Session.mostWeight)
    }
    if let chunks = number(.ringChunks) {
      var ring = RecordingRing(
        chunkCount: chunks, overwrittenChunkCount: number(.overwrittenChunks) ?? 0)
      ring.start = arguments.time(of: .keptSince, &trace)
      self.ring = ring
    }
    if let cost = number(.recordCost) {
      self.cost = RecorderCost(
        picosecondsPerRecord: cost, recordCount: number(.records) ?? 0,
        mainRecordCount: number(.mainRecords) ?? 0,
        picosecondsPerReading: number(.readingCost) ?? 0,
        readingCount: number(.readings) ?? 0, mainReadingCount: number(.mainReadings) ?? 0,
        sampling: number(.sampleSignals).map { count in
          SamplingCost(
            signalCount: count, nanoseconds: number(.sampleTime) ?? 0,
            samplerNanoseconds: number(.samplerTime) ?? 0)
        })
    }
  }

  /// Gives the trace the other one's metadata, after everything else is read.
  func finish(_ builder: inout TraceBuilder, isFirstFile: Bool) {
    builder.source.wasClosed = wasClosed
    builder.samplesExtendRange = false
    builder.source.hasKnownLength = hasKnownLength
    builder.source.weight = weight
    builder.source.ring = ring
    builder.source.recorderCost = cost
    if let range, isFirstFile { builder.setRange(range) }
  }

  /// Reads a loss; returns `false` if its reason is unknown.
  static func readLoss(_ event: FXTEvent, _ trace: inout FXTTrace) -> Bool {
    guard let reason = Loss.Reason(rawValue: trace.name(of: event.label)) else { return false }
    trace.builder.offset = event.arguments.number(of: .offset, &trace)
    trace.builder.countLoss(reason, count: event.arguments.number(of: .count, &trace) ?? 1)
    trace.builder.offset = nil
    return true
  }

  /// Reads a notice; returns `false` if its kind is unknown.
  static func readNotice(_ event: FXTEvent, _ trace: inout FXTTrace) -> Bool {
    typealias Word = Vocabulary.Notice
    let arguments = event.arguments
    let count = arguments.number(of: .count, &trace).flatMap { Int(exactly: $0) } ?? 0
    let notice: Notice
    switch trace.name(of: event.label) {
    case Word.notClosed.description: notice = .notClosed
    case Word.keepsLastPart.description:
      notice = .keepsLastPart(
        length: arguments.time(of: .duration, &trace).map { $0 - .zero },
        overwrittenChunks: UInt64(count))
    case Word.presentedBeforeBegin.description:
      notice = .presentedBeforeStart(
        surface: arguments.text(of: .surface, &trace) ?? "", count: count)
    case Word.noMainTrack.description: notice = .noMainTrack
    case Word.noFrames.description: notice = .noFrames
    case Word.repeatedFrameNumbers.description:
      notice = .repeatedFrameNumbers(
        surface: arguments.text(of: .surface, &trace) ?? "", count: count)
    case Word.unfinishedSpans.description: notice = .unfinishedSpans(count: count)
    case Word.source.description: notice = .source(arguments.text(of: .text, &trace) ?? "")
    default: return false
    }
    if trace.builder.noticeCount < maximumNoticeCount {
      trace.builder.addNotice(notice)
    } else {
      trace.lose(.limitReached, at: event.offset)
    }
    return true
  }
}
