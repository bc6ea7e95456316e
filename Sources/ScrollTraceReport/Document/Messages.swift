package import ScrollTraceAnalysis
package import ScrollTraceModel

/// The texts for the results of an analysis, for all renderers.
///
/// The texts contain names from the trace unchanged; a renderer escapes them for its context.
package struct Messages {
  /// The trace's start, which times are relative to.
  let start: Timestamp

  package init(start: Timestamp) {
    self.start = start
  }

  /// Returns a notice as a sentence without a period.
  package func text(of notice: AnalysisNotice) -> String {
    switch notice {
    case .trace(let notice): return text(of: notice)
    case .fewFrames(let surface, let evaluated):
      return "few frames: \(Quantity.count(evaluated, "frame")) of \(name(surface)) evaluated;"
        + " fewer than \(RatedHitches.enoughFrames) are unreliable"
    case .noData(let surface):
      return
        "not measurable: no frame of \(name(surface)) could be evaluated; this is neither zero nor a"
        + " pass"
    case .noInterval(let surface): return textOfNoInterval(for: name(surface))
    case .noInteractions(let surface): return textOfNoInteractions(for: name(surface))
    case .noMarks(let pattern):
      return
        "no mark NAME:begin and no asynchronous span NAME matches the pattern \(name(pattern)), so"
        + " no interaction is known"
    case .noFreeCore(let surface, let time, let meanwhile):
      return "the machine had no free core for \(Quantity.length(time)) of the hitches of"
        + " \(name(surface))\(FindingText.plain(meanwhile))"
    case .interactionOutside(let range, let length):
      return "the interaction \(name(range)) starts after the end of the recording"
        + " (\(Quantity.length(length))) and is ignored"
    case .unfinishedInteraction(let kind, let since):
      return "the \(kind) that started at \(Quantity.instant(since - start)) never ended; it counts"
        + " until the end of the trace"
    case .unfinishedFrames(let surface, let count):
      return "\(count == 1 ? "the commit" : "the commits") of \(Quantity.count(count, "frame")) of"
        + " \(name(surface)) never ended"
    case .motionsNotEvaluated(let surface, let count):
      return
        "\(Quantity.count(count, "motion")) of \(name(surface))"
        + " \(count == 1 ? "was" : "were") not evaluated, because too many frames are late for several"
        + " motions; \(count == 1 ? "its" : "their") refreshes are unknown"
    case .leftOut(let surface):
      return
        "too many overlapping ranges: some interactions, states or causes of \(name(surface)) are"
        + " omitted"
    }
  }

  /// Returns notices as sentences, combining those that several surfaces share.
  package func texts(of notices: [AnalysisNotice]) -> [String] {
    let intervals = notices.count { if case .noInterval = $0 { true } else { false } }
    let interactions = notices.count { if case .noInteractions = $0 { true } else { false } }
    var combined: Set<String> = []
    return notices.compactMap { notice in
      let text: String
      switch notice {
      case .noInterval where intervals > 1:
        text = textOfNoInterval(for: "\(intervals) surfaces")
      case .noInteractions where interactions > 1:
        text = textOfNoInteractions(for: "\(interactions) surfaces")
      default: return self.text(of: notice)
      }
      return combined.insert(text).inserted ? text : nil
    }
  }

  private func textOfNoInterval(for whom: String) -> String {
    "the refresh interval of \(whom) is unknown, so refreshes cannot be counted;"
      + " state the display's rate, such as --refresh-rate 60"
  }

  private func textOfNoInteractions(for whom: String) -> String {
    "no interaction is known for \(whom): only late frames count, relative to the"
      + " whole recording; --define NAME=FROM..TO or --always-moving defines motion"
  }

  /// Returns a loss as a sentence without a period.
  package func text(of loss: Loss) -> String {
    let first = loss.offset.map { ", first at byte \($0)" } ?? ""
    let count =
      loss.reason == .damagedBytes ? Quantity.count(loss.count, "byte") : "\(loss.count)"
    return "\(words(for: loss.reason)) (\(count)\(first))"
  }

  /// Returns the basis as the end of "evaluated against ...".
  func text(of basis: Basis) -> String {
    switch basis {
    case .target, .deadline, .cadence: Self.word(for: basis)
    case .hitchList: "the source's list of hitches"
    case .none: "nothing: the frames contain no usable times"
    }
  }

  /// Returns a short name of the basis, for tables.
  static func word(for basis: Basis) -> String {
    switch basis {
    case .target: "target times"
    case .deadline: "commit deadlines"
    case .cadence: "cadence"
    case .hitchList: "listed hitches"
    case .none: "nothing"
    }
  }

  package func text(of kind: HitchKind) -> String {
    kind == .skippedRefresh ? "skipped refresh" : kind.rawValue
  }

  func text(of measuredTime: MeasuredTime) -> String {
    switch measuredTime.kind {
    case .interaction: "\(Quantity.length(measuredTime.duration)) of interaction"
    case .recording where measuredTime.duration == .zero: "a recording of unknown length"
    case .recording: "\(Quantity.length(measuredTime.duration)) of recording"
    }
  }

  private func name(_ surface: String) -> String {
    surface.isEmpty ? "the surface" : "'\(surface)'"
  }

  private func text(of notice: Notice) -> String {
    switch notice {
    case .notClosed:
      "not finished: the app ended unexpectedly or is still running"
    case .keepsLastPart(let length, let chunks):
      "the recording is the last \(length.map(Quantity.duration) ?? "part") as requested;"
        + " \(Quantity.count(Int(clamping: chunks), "chunk"))"
        + " \(chunks == 1 ? "was" : "were") overwritten"
    case .presentedBeforeStart(let surface, let count):
      "\(Quantity.count(count, "frame")) of \(name(surface)) presented before"
        + (count == 1
          ? " its start; this time counts as unknown"
          : " their start; these times count as unknown")
    case .noMainTrack: "no track is known to be the main thread, so its work is unknown"
    case .noFrames: "the trace contains no frames"
    case .repeatedFrameNumbers(let surface, let count):
      "\(Quantity.count(count, "frame number")) of \(name(surface))"
        + " \(count == 1 ? "is" : "are") repeated; each record counts as its own frame"
    case .unfinishedSpans(let count):
      "\(Quantity.count(count, "span")) never ended; busy times exclude"
        + " \(count == 1 ? "it" : "them")"
    case .implausibleThreadTimes(let track, let count):
      "the thread times of \(name(ofThread: track)) ran backwards or exceeded wall time"
        + " \(Quantity.count(count, "time")); those parts count as unknown"
    case .overlappingThreadStates(let track, let count):
      "\(Quantity.count(count, "scheduling record")) of \(name(ofThread: track))"
        + " \(count == 1 ? "overlaps" : "overlap") earlier ones; the earlier ones count"
    case .tooManyThreadStates(let limit):
      "more than \(limit) scheduling records; none of them is used"
    case .commitsOnOtherThread(let track):
      "no commit ran on the thread called main; '\(track)' committed the frames and counts as main"
    case .source(let text): text
    }
  }

  private func name(ofThread track: String) -> String {
    track.isEmpty ? "a thread" : "'\(track)'"
  }

  private func words(for reason: Loss.Reason) -> String {
    switch reason {
    case .recorderOutOfSpace: "the recorder had no space for a record"
    case .recordTooLarge: "a record was larger than the format allows"
    case .recordedAfterFinish: "the app recorded after it had finished"
    case .recordedFromSignalHandler: "a signal handler recorded while it interrupted the recorder"
    case .sourceDroppedRecords: "the source reports dropped records"
    case .missingChunk: "missing chunk"
    case .duplicateChunk: "duplicate chunk"
    case .checksumMismatch: "checksum mismatch"
    case .damagedBytes: "unreadable bytes"
    case .cutAtEnd: "the file ends inside a record"
    case .malformedRecord: "a record contradicts itself"
    case .unknownRecord: "record of an unknown kind"
    case .undefinedReference: "a record refers to an undefined name, thread or frame"
    case .timeOutOfRange: "time out of range"
    case .endBeforeBegin: "a span ends before it starts"
    case .unmatchedEnd: "a span end without a start"
    case .invalidValue: "invalid field value"
    case .limitReached: "a limit of the reader was reached"
    case .fileChanged: "the file changed while it was read"
    }
  }
}

extension Messages {
  /// The number of columns above which a list of categories is truncated.
  private static let longestList = 20

  static func label(of bucket: DeadlineUtilizationBucket) -> String {
    guard bucket.label.hasSuffix(" late") else {
      return bucket.label.replacingAll(" %", with: "%")
    }
    let count = bucket.label.dropLast(" late".count)
    return "\(count) \(count == "1" ? "refresh" : "refreshes") late"
  }

  /// Returns a category without the prefix of reserved ones.
  package static func label(ofCategory category: String) -> String {
    String(Label.withoutPrefix(category))
  }

  /// Returns a category in limited space: only the first of a list.
  static func shortLabel(ofCategory category: String, ellipsis: String) -> String {
    let label = label(ofCategory: category)
    guard label.utf8.count > longestList else { return label }
    let front = label.prefix(longestList)
    guard let comma = front.lastIndex(of: ",") ?? label.firstIndex(of: ",") else { return label }
    return label[..<comma] + "," + ellipsis
  }

  /// Returns the items of work as a suffix of its name: ` (149)`, ` (12 items, longest 149)`.
  package static func items(
    of group: Attribution.Group, name: (String) -> String = { $0 }
  ) -> String {
    guard let item = group.largestItem else { return "" }
    return group.itemCount > 1
      ? " (\(group.itemCount) items, longest \(name(item)))" : " (\(name(item)))"
  }
}

extension Messages {
  /// The share of late frames from which on it is said that the shares of spans are estimated.
  private static let minimumEstimatedShare = 0.01

  /// The message that up to `time` of the times of spans may be another's, or `nil` if that is little of
  /// `whole`.
  static func estimate(_ time: TimeSpan, of whole: TimeSpan) -> String? {
    guard Double(time.nanoseconds) > Double(whole.nanoseconds) * minimumEstimatedShare else {
      return nil
    }
    return "Estimated: spans share the time on a core that was counted for them together by their"
      + " length; up to \(Quantity.length(time)) may be another span's."
  }

  /// The word for a part of a window that is not work.
  package static func word(for kind: CauseSummary.Kind) -> String {
    switch kind {
    case .work(let category, let name): "\(category)/\(name)"
    case .waiting(let wait): FindingText.plain(wait.phrase)
    case .notScheduled: "not scheduled"
    case .notRunning: "not running"
    case .lateStart: "late start"
    case .idle: "idle"
    case .unrecorded: "not instrumented"
    case .render: "after the main thread"
    case .unknown: "unknown"
    }
  }

  /// The word for the name of such a part in lines of summaries, or the name if there is none.
  static func word(forKind name: String) -> String {
    let kinds: [CauseSummary.Kind] = [
      .notScheduled, .notRunning, .lateStart, .idle, .unrecorded, .render, .unknown,
    ]
    return kinds.first { $0.plain.rawValue == name }.map { word(for: $0) } ?? name
  }

  /// The word with what it means.
  ///
  /// - Parameter inFrame: Whether it is about one frame, whose late start or idle time is its own.
  static func text(of kind: CauseSummary.Kind, inFrame: Bool) -> String {
    switch kind {
    case .notScheduled: "not scheduled (ready, no core was free)"
    case .notRunning: "not running (ready or blocked)"
    case .lateStart: "late start (the commit started late)"
    case .idle:
      inFrame ? "idle (no work on the main thread)" : "the main thread had nothing to do"
    case .render: "after the main thread, which was on time"
    default: word(for: kind)
    }
  }
}

extension Messages {
  private static let nameLimit = 8

  /// Returns the missing selection and the alternatives, without a period.
  package static func text(of problem: SelectionProblem) -> String {
    switch problem {
    case .unknownSurface(let name, let known):
      return "has no surface \(quoted(name)); "
        + (known.isEmpty ? "the trace has none" : "known: \(list(known.map(quoted)))")
    case .unknownInteraction(let word, let count, let known):
      guard count > 0 else {
        return "has no interactions, so none is \(quoted(word));"
          + " define one with --define NAME=FROM..TO"
      }
      return "has no interaction \(quoted(word)); known: \(list(known.map(quoted)))"
        + " or \(count == 1 ? "1" : "1 to \(count)")"
    case .behindEnd(let from, let length):
      return "--from \(Quantity.instant(from)) is past the end; duration \(Quantity.length(length))"
    case .interactionsBehindEnd(let names, let length):
      let verb = names.count == 1 ? "begins" : "begin"
      return "the \(names.count == 1 ? "interaction" : "interactions") \(list(names.map(quoted)))"
        + " \(verb) past the end; duration \(Quantity.length(length))"
    case .unknownMarks(let pattern, let known):
      return "has no mark pair or async span that matches \(quoted(pattern)); "
        + (known.isEmpty ? "it has none" : "known: \(list(known.map(quoted)))")
    case .unknownState(let state, let known):
      let text = quoted("\(state.key)=\(state.value)")
      guard !known.isEmpty else { return "has no states, so \(text) selects nothing" }
      return "has no state \(text); known: "
        + list(known.map { quoted("\($0.key)=\($0.value)") })
    }
  }

  /// Returns the reason why a frame cannot be reported, without a period.
  package static func text(of problem: FrameProblem) -> String {
    switch problem {
    case .noFrames(let surface):
      return "has no frames" + (surface.map { " of \(quoted($0))" } ?? "") + " to look at"
    case .unknownFrame(let number, let surface, let count, let range, let nearest):
      let all =
        count == 1
        ? "there is only frame \(nearest)"
        : "nearest: \(nearest) (of \(range.lowerBound) to \(range.upperBound))"
      return "has no frame \(number) of \(quoted(surface)); \(all)"
    }
  }

  /// Returns that a trace lacks some main-thread work, with the alternatives, without a period.
  package static func text(ofUnknown work: WorkName, in trace: Trace) -> String {
    let known = trace.mainWork.map { text(of: $0) }
    return "has no work \(quoted(text(of: work))) on its main thread; "
      + (known.isEmpty ? "the trace contains none" : "known: \(list(known.map(quoted)))")
  }

  /// Returns work in words, without the prefix of reserved categories.
  package static func text(of work: WorkName) -> String {
    [label(ofCategory: work.category), work.name ?? ""].filter { !$0.isEmpty }
      .joined(separator: "/")
  }

  /// Returns the selection in words, or `nil` if everything is selected.
  func text(of selection: AnalysisOptions.Selection) -> String? {
    guard !selection.isEmpty else { return nil }
    var parts: [String] = []
    switch (selection.from, selection.to) {
    case (let from?, let to?):
      parts.append("\(Quantity.instant(from)) to \(Quantity.instant(to))")
    case (let from?, nil): parts.append("from \(Quantity.instant(from)) on")
    case (nil, let to?): parts.append("until \(Quantity.instant(to))")
    case (nil, nil): break
    }
    if let word = selection.interaction { parts.append("interaction \(Self.quoted(word))") }
    parts += selection.states.prefix(Self.nameLimit).map {
      "state \(Self.quoted("\($0.key)=\($0.value)"))"
    }
    if let name = selection.surface { parts.append("surface \(Self.quoted(name))") }
    return parts.joined(separator: ", ")
  }

  private static func list(_ names: [String]) -> String { names.listed(maximum: nameLimit) }

  private static func quoted(_ name: String) -> String {
    "'\(String(name.unicodeScalars.prefix(60)))'"
  }
}
