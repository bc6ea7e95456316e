import ScrollTraceModel

/// Late frames whose thread waited, in a span marked so or by the system's count (M-16).
struct WaitOnMainThread: FindingRule {
  static let id = FindingID.waitOnMainThread
  /// The refresh interval if none is known: longer than that at 60 Hz.
  private static let usualRefresh = TimeSpan.milliseconds(17)

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      guard case .wait(let wait) = cause.cause else { return nil }
      var faults: Int64 = 0
      var lastCount = 0
      var longest = TimeSpan.zero
      var around: [WorkName: TimeSpan] = [:]
      for (_, attribution) in cause.hitches {
        faults = faults.saturatingAdd(attribution.thread?.diskFaults ?? 0)
        let time = cause.cause.time(in: attribution)
        longest = max(longest, time)
        if wait.kind == .display,
          time > cause.surface.refreshInterval ?? Self.usualRefresh
            || context.isLast(wait.span, in: attribution.window)
        {
          lastCount += 1
        }
        for occupant in attribution.occupants where occupant.wait == wait && occupant.isWait {
          if let work = occupant.around { around[work, default: .zero] += occupant.waited }
        }
      }
      let isBehind = lastCount * 2 > cause.hitches.count
      let evidence = Evidence(
        cause: cause, wait: wait, topic: WorkTopic(wait.span), isBehind: isBehind,
        around: around.max { ($0.value, $1.key.name ?? "") < ($1.value, $0.key.name ?? "") }?.key,
        longest: longest, faults: Int(clamping: faults), many: context.many(wait, in: cause),
        awaited: AwaitedThread(of: wait, in: cause, context),
        recording: context.samples == nil ? RecordingAdvice(of: context.trace) : nil)
      let isKnown = wait.kind != .unknown || evidence.topic == .collection
      let certainty: Finding.Certainty = wait.owner != nil ? .named : isKnown ? .kind : .unknown
      // Without that wait, the frame would have waited for its picture instead.
      return finding(
        of: cause, evidence, in: context, certainty: certainty, isRemovable: !isBehind)
    }
  }

  private struct Evidence: FindingEvidence {
    let cause: HitchCause
    let wait: Wait
    let topic: WorkTopic?
    /// Whether the wait is for a picture of an earlier frame, after the work of this one.
    let isBehind: Bool
    /// The work around a marked wait.
    let around: WorkName?
    let longest: TimeSpan
    let faults: Int
    /// The number of such waits in a late frame and their usual length, if they are many.
    let many: (count: Int, each: TimeSpan)?
    /// The thread that was waited for, or `nil` if it is none of the host's.
    let awaited: AwaitedThread?
    /// How to see more, or `nil` if samples show it.
    let recording: RecordingAdvice?

    /// The work around the wait, unless that is only a frame or a phase.
    private var caller: WorkName? { around.flatMap { $0.isFrameOfOtherWork ? nil : $0 } }

    var title: Phrase {
      titleOfOne + many.phrase { ": \($0.count) times in a frame, \($0.each) each" }
    }

    private var titleOfOne: Phrase {
      let inside = caller.phrase { " inside \($0)" }
      let waits: Phrase = "the main thread waits in \(wait.span)\(inside)"
      if isBehind { return "the display is behind: " + waits }
      return switch wait.kind {
      case .lock, .result:
        wait.owner.phrase { owner in
          let thread: Phrase = owner.thread.hasPrefix("thread ") ? "" : "thread "
          let name: Phrase = "\(thread)\(name: owner.thread)"
          let state = awaited.phrase(\.state)
          return owner.work.phrase { waits + " for '\(name: $0)' (\(name))\(state)" }
            .ifEmpty(waits + " for \(name)\(state)")
        }.ifEmpty(wait.kind == .lock ? waits + " for a lock" : waits)
      case .process: waits + wait.kind.phrase + wait.owner.phrase { " (\(name: $0.thread))" }
      case .timer: "the main thread sleeps in \(wait.span)\(inside)"
      case .display: waits + " for the display"
      case .renderThread, .disk, .unknown: waits + wait.kind.phrase
      }
    }
    var sentence: Phrase {
      let isInPhase = caller == nil && around?.category != "scrolltrace.frame"
      let inside = isInPhase ? around.phrase { ", inside \($0)" } : ""
      let faults: Phrase = faults > 0 ? "; \(faults, "page") read from disk" : ""
      let unknown: Phrase =
        wait.kind == .unknown && topic != .collection ? "; the trace does not show for what" : ""
      return
        "it waited \(cause.time) of \(cause.window) in \(cause.hitches.count, "late frame"), at most"
        + " \(longest)\(inside)\(faults)\(unknown)\(awaited.phrase(\.withoutCore))"
    }
    var facts: Finding.Facts {
      [
        ("category", .name(wait.span.category)), ("name", .name(wait.span.name)),
        ("waitKind", .name(wait.kind.rawValue)), ("heldByThread", .name(wait.owner?.thread)),
        ("heldByWork", .name(wait.owner?.work)), ("longestNs", .time(longest)),
        ("diskFaults", .count(faults)), ("around", .name(around?.name)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      if topic == .collection { return WorkTopic.allocateLess + "." }
      return awaited.phrase(\.fix) + fixOfWait(in: toolkit)
    }

    private func fixOfWait(in toolkit: Toolkit?) -> Phrase {
      switch wait.kind {
      case .lock: Wait.holdLockLess
      case .result:
        "Do not wait for it on the main thread: show what is there, such as a placeholder, and"
          + " update it when the work is done."
      case .renderThread:
        "Give the render thread less to do in these frames: decode bitmaps at the displayed size"
          + " and upload them ahead (prepareToDraw()), and use fewer layers and effects."
      case .disk:
        "Read and write files outside of the commit, in the background\(.background, of: toolkit),"
          + " and keep in memory what frames need."
      case .process where wait.span.isWrite:
        "Write less there, such as logs, or from another thread\(.background, of: toolkit): its reader is slow,"
          + " and the main thread waits for room."
      case .process:
        "Ask before the answer is needed, off the main thread\(.background, of: toolkit), and show"
          + " a placeholder until it is there."
      case .timer: "Do not sleep on the main thread: schedule a callback for that time instead."
      case .display where isBehind:
        "The GPU or the compositor has not returned a buffer: draw less, with fewer layers, blurs"
          + " and large images."
      case .display where wait.span.isOfPicture:
        "Draw less, with fewer layers, blurs and large images: the GPU or the compositor has not returned a buffer."
          + " Ask for the next one after the work of the frame, not before it."
      case .display:
        "Wait for the display after the work of the frame, not before it, and keep at most one"
          + " frame in flight."
      case .unknown:
        recording.phrase {
          "Wait for it off the main thread\(.background, of: toolkit), and show a placeholder until it is"
            + " there. \(words: $0.seeWork), to see what it waits for."
        }.ifEmpty(
          "Look at the functions that waited in these frames, and do that before or after them, off"
            + " the main thread\(.background, of: toolkit).")
      }
    }
  }
}

extension Wait {
  /// What to do about a lock that the main thread waits for.
  static let holdLockLess: Phrase =
    "Hold that lock for less time, or build the new state aside and swap it in, so that the"
    + " main thread never waits for it."
}

extension WorkName {
  /// Whether a wait for another process is for room to write, and not for an answer.
  fileprivate var isWrite: Bool {
    ["write", "writev", "send", "sendto", "sendmsg"].contains(
      QualifiedName.words(of: name ?? "").first)
  }

  /// Whether a wait for the display is for a buffer or a picture, and not only for the next refresh.
  fileprivate var isOfPicture: Bool {
    !Set(QualifiedName.words(of: name ?? "")).isDisjoint(with: [
      "drawable", "buffer", "present",
    ])
  }
}

/// What the thread that the main thread waited for did meanwhile.
private struct AwaitedThread {
  private let name: String
  /// How long it was ready without a core, or `nil` if it was not for most of the wait.
  private let ready: TimeSpan?
  /// Who had the cores then.
  private let holders: CoreHolders?
  /// What it waited for itself for most of the wait, or `nil` if nothing shows that.
  private let wait: Wait?

  init?(of wait: Wait, in cause: HitchCause, _ context: FindingContext) {
    let (trace, workload) = (context.trace, context.workload)
    guard let owner = wait.owner else { return nil }
    let time = TimeRangeSet(union: context.spans(of: wait, in: cause))
    let threads = trace.numberedTracks.filter { id, track in
      trace.processes[track.process.index].isHost && trace.displayName(of: id) == owner.thread
    }.map(\.0)
    guard !threads.isEmpty else { return nil }
    name = owner.thread
    ready = threads.compactMap { workload.threads[$0.index]?.times(in: time).ready }.max()
      .flatMap { $0.isPart(0.5, of: cause.time) ? $0 : nil }
    holders = ready == nil ? nil : CoreHolders(of: context, in: time)
    self.wait =
      threads.lazy.compactMap { Self.wait(of: $0, during: time, minimum: cause.time, context) }
      .first
  }

  /// What a thread waited for in spans marked so that cover half of `minimum` in `time`.
  private static func wait(
    of id: TrackID, during time: TimeRangeSet, minimum: TimeSpan, _ context: FindingContext
  ) -> Wait? {
    let (trace, workload) = (context.trace, context.workload)
    var found: [LabelID: (time: TimeSpan, longest: TimeRange)] = [:]
    for range in time.ranges {
      for span in workload.spans(of: id, in: range, trace) where workload.waits[span.label] {
        let known = found[span.label] ?? (.zero, span.range)
        found[span.label] = (
          known.time + span.range.intersection(range).length,
          span.range.length > known.longest.length ? span.range : known.longest
        )
      }
    }
    let most = found.max { ($0.value.time, $1.key) < ($1.value.time, $0.key) }
    guard let most, most.value.time.isPart(0.5, of: minimum) else { return nil }
    let longest = most.value.longest
    let wait = WaitResolver(of: trace, workload, on: id, isAwaitedBy: trace.mainTrack).wait(
      in: most.key, longest, latestStart: longest.start.nanoseconds, isMarked: true,
      readsFromDisk: nil)
    return wait.owner == nil ? nil : wait
  }

  /// What kept it, as the end of a title.
  var state: Phrase {
    if ready != nil { return ", which had no core" }
    return wait.phrase { wait in
      let thread = wait.owner.phrase { owner in
        owner.work.phrase { " for '\(name: $0)' of \(name: owner.thread)" }
          .ifEmpty(" for \(name: owner.thread)")
      }
      return ", which waits in \(wait.span)\(thread)"
    }
  }

  /// How long it had no core, as the end of a sentence.
  var withoutCore: Phrase {
    let others = holders?.names.filter { $0 != name } ?? []
    let held: Phrase = others.isEmpty ? "" : "; the cores ran \(list: others)"
    return ready.phrase { "; that thread was ready for \($0) without a core\(held)" }
  }

  /// What to do about a missing core, as a sentence.
  var fix: Phrase {
    guard let holders else { return "" }
    return holders.isHost
      ? "Run fewer background jobs at once, at a lower priority than that thread. "
      : "Record on a machine with a free core: other programs had those that the thread needed. "
  }
}

extension FindingContext {
  /// The spans of the main thread that the waits of a cause are in, as far as they lie in its windows.
  fileprivate func spans(of wait: Wait, in cause: HitchCause) -> [TimeRange] {
    Set(cause.hitches.map(\.attribution.window)).flatMap { window in
      mainSpans(in: window).filter { workload.names[$0.label] == wait.span }
        .map { $0.range.intersection(window) }
    }
  }

  /// The number of long waits of a cause in a late frame, and their median length, or `nil` if they are few.
  fileprivate func many(_ wait: Wait, in cause: HitchCause) -> (count: Int, each: TimeSpan)? {
    let lengths = spans(of: wait, in: cause).map(\.length).filter {
      $0.nanoseconds >= Attributor.minimumWait
    }
    let count = cause.perWindow(lengths.count)
    guard count >= WorkParts.minimumMany, let each = Percentiles(of: lengths)?.p50 else {
      return nil
    }
    return (count, each)
  }

  /// How long before the end of a window its last span can have ended.
  private static let maximumRest = TimeSpan(nanoseconds: 250_000)

  /// Returns whether spans of `work` are the last on the main thread in `window`.
  fileprivate func isLast(_ work: WorkName, in window: TimeRange) -> Bool {
    mainSpans(in: window).contains {
      $0.range.end >= window.end - Self.maximumRest && workload.names[$0.label] == work
    }
  }
}
