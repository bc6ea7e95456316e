import ScrollTraceModel

/// Work of one name that makes frames late, in commits or between them.
struct LongTask: FindingRule {
  static let id = FindingID.longTask

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      guard let work = cause.ownWork, case let topic = WorkTopic(work), topic != .cells else {
        return nil
      }
      // Samples say what ran in a hang.
      if work.isHang, HeavyUnrecordedCode.part(of: cause, in: context) != nil { return nil }
      let parts = WorkParts(of: cause, context)
      let isOwn = !cause.isWhole || parts?.isMostlyOwn == true
      let evidence = Evidence(
        cause: cause, work: work, topic: topic, names: context.workload.names.count(of: work),
        parts: parts, costs: WorkCosts(of: work, in: context),
        memory: cause.freshMemory(in: context),
        sampled: isOwn ? SampledPart(of: cause, context) : nil, waits: cause.waits(in: work),
        offCore: cause.time.isPart(0.8, of: cause.window) ? cause.offCore : .zero,
        thread: context.trace.otherThread(of: cause.surface.surface),
        isBetweenFrames: isBetweenFrames(work, in: context))
      return finding(of: cause, evidence, in: context, certainty: .named)
    }
  }

  /// Whether most of the late work ran outside of commits.
  private func isBetweenFrames(_ work: WorkName, in context: FindingContext) -> Bool {
    let trace = context.trace
    guard let main = trace.mainTrack, case let commits = trace.commitTime, !commits.isEmpty else {
      return false
    }
    let late = trace.tracks[main.index].spans.filter {
      context.workload.names[$0.label] == work && context.late.index(ofMost: $0.range) != nil
    }
    let inside = late.count { commits.index(containing: $0.range.start) != nil }
    return late.count > 2 * inside
  }

  private struct Evidence: FindingEvidence {
    let cause: HitchCause
    let work: WorkName
    let topic: WorkTopic?
    /// The number of names in the trace that `work` stands for, or `nil` if it is one.
    let names: Int?
    /// The spans of it in these hitches, or `nil` if there are none.
    let parts: WorkParts?
    let costs: WorkCosts?
    let memory: FreshMemory?
    /// The function that most of the time is in, or `nil` if samples name none.
    let sampled: SampledPart?
    let waits: (time: TimeSpan, kind: Wait.Kind?)
    /// The time in these windows in which the thread waited or had no core, and nothing says which, if the work fills
    /// them; else zero.
    let offCore: TimeSpan
    /// The thread that makes the frames, or `nil` if it is the main thread.
    let thread: String?
    let isBetweenFrames: Bool

    private var forcesLayout: Bool { costs?.forcesLayout == true }

    /// The script that forces the work if that is layout, or `nil` if there is none.
    private var forcer: WorkName? { work.isWebLayout ? parts?.script : nil }

    /// What the work waited for, if that took a quarter of its time.
    private var waitedFor: Wait.Kind? {
      waits.time.nanoseconds >= cause.time.nanoseconds / 4 ? waits.kind : nil
    }

    /// The parts, if they are several or all that is known.
    private var many: WorkParts? {
      parts.flatMap { parts in
        work.isCategory || (cause.isWhole ? parts.areSmall : parts.areSeveral) ? parts : nil
      }
    }

    /// How long one takes.
    private var each: TimeSpan? { many?.length ?? costs?.lateMedian }

    var title: Phrase {
      if work.isHang {
        return work.name == nil ? "the main thread hung" : "the main thread hung (\(work))"
      }
      if work.isCategory { return titleOfCategory }
      if work.name?.isEmpty ?? true { return "unnamed work makes frames late" }
      if work.isOfExtension { return "a browser extension makes frames late (\(work))" }
      let location =
        (costs?.script).phrase { " (\(name: $0))" } + names.phrase { " (\($0, "name"))" }
      if forcesLayout { return "\(work)\(location) forces style and layout" }
      if let forcer {
        return "\(forcer) forces \(work)"
          + many.phrase { ": \($0.count) times in a frame, \($0.lengths)" }
      }
      if work.isSynchronousRequest {
        return (parts?.script).phrase { "\($0) waits for a synchronous XMLHttpRequest" }
          .ifEmpty("a synchronous XMLHttpRequest makes frames late (\(work))")
          + sampled.phrase { $0.title(after: "") }
      }
      if let growth = costs?.growth { return growth.title(of: work) }
      if isBetweenFrames {
        let inside = (parts?.around).phrase { " inside \($0)" }
        let detail =
          cause.isWhole
          ? parts.phrase(\.titleOfInner)
          : many.phrase { ": \($0.count) before a late one\(inside), \($0.lengths)" }
        return
          "\(work)\(location)\(many == nil ? inside : "") runs between frames and makes them late"
          + detail
          + sampled.phrase { $0.title(after: detail) } + parts.phrase(\.titleOfCollection)
      }
      if cause.isWhole {
        let each = TimeSpan(nanoseconds: cause.time.nanoseconds / Int64(max(1, cause.windowCount)))
        return many.phrase { "\(work)\(location) makes frames late: it holds \($0.small)" }
          .ifEmpty(
            "\(work)\(location) takes \(each) in a late frame"
              + parts.phrase(\.titleOfInner).ifEmpty(memory.phrase(\.title))
              + sampled.phrase { $0.title(after: "") })
          + parts.phrase(\.titleOfCollection)
      }
      let detail = many.phrase { parts in
        ": \(parts.count) in a frame\(parts.around.phrase { " inside \($0)" }), \(parts.lengths)"
      }.ifEmpty(memory.phrase(\.title))
      return "\(work)\(location) makes frames late" + detail
        + sampled.phrase { $0.title(after: detail) } + parts.phrase(\.titleOfCollection)
    }

    private var titleOfCategory: Phrase {
      guard let parts else { return "many small parts of \(work) make frames late" }
      if let around = parts.around { return "\(around) makes frames late: it holds \(parts.small)" }
      return parts.name == nil && parts.inner.count > 1
        ? "\(parts.names) make frames late together" : "\(parts.small), make frames late"
    }

    var sentence: Phrase {
      let each = each.phrase { ", \($0) each (median)" }
      let category: Phrase =
        work.isHang || work.category.isEmpty || work.category.hasPrefix(Label.reservedPrefix)
        ? "it" : "work of '\(name: work.category)'"
      let forced = (forcesLayout ? costs : nil).phrase {
        ", \($0.forcedLayout) of \($0.late) in forced style and layout"
      }
      let waited = waitedFor.phrase { "; it waited\($0.phrase) \(waits.time) of that" }
      return
        "\(category) took \(cause.time) in \(cause.hitches.count, "hitch", "hitches")\(each)\(waited)\(forced)"
        + memory.phrase(\.phrase)
    }
    var facts: Finding.Facts {
      [
        ("category", .name(work.category)), ("name", .name(work.name)), ("names", .count(names)),
        ("around", .name(parts?.around?.name)),
        ("topic", .name(topic?.rawValue)), ("medianNs", .time(each)),
        ("forcedLayoutNs", .time(costs?.forcedLayout ?? .zero)), ("script", .name(costs?.script)),
        ("waitedNs", .time(waits.time)), ("waitKind", .name(waitedFor?.rawValue)),
        ("betweenFrames", .flag(isBetweenFrames)), ("faultsPerFrame", .count(memory?.faults)),
      ]
    }

    private static let doLess: Phrase =
      "Do less of them in each frame, or what they have in common once: no part alone is long."
    private static let shorten: Phrase =
      "Shorten its parts, the longest first, or spread them over several frames: no part alone makes a frame"
      + " late."

    func fix(in toolkit: Toolkit?) -> Phrase {
      if (forcer ?? work).isOfExtension {
        return "Record in a guest window, without extensions: this code is not the page's."
      }
      // A hang is the time without an answer, so there is no work to move.
      if work.isHang {
        return "Find out what blocked the main thread: record spans or samples of its work."
      }
      if work.isCategory {
        // Where a phase is the largest part, the others follow from the same change.
        return (parts?.largest).flatMap { ToolkitTerms.advice(onPhase: $0, of: toolkit) }
          .map { "\(words: $0)" } ?? Self.doLess
      }
      if forcesLayout || forcer != nil {
        return
          "Read sizes and positions before you write styles: each read after a write lays out the page"
          + " again."
      }
      if work.isSynchronousRequest {
        return
          "Use fetch, and show what is there until the answer has come: a synchronous request stops the page."
      }
      if offCore.isPart(0.5, of: cause.time) {
        return
          "The thread was off the core for \(offCore) of these frames: it waited, or other threads had the cores. Ask for what"
          + " it waits for ahead, off the main thread\(.background, of: toolkit), and show a placeholder until it"
          + " is there."
      }
      return memory.phrase(\.fix) + parts.phrase(\.fixOfListener) + parts.phrase(\.fixOfCollection)
        + work.fixOfOthersScript + fixOfTopic(in: toolkit)
    }

    private func fixOfTopic(in toolkit: Toolkit?) -> Phrase {
      if let advice = ToolkitTerms.advice(onPhase: work, of: toolkit) { return "\(words: advice)" }
      if costs?.growth != nil { return Growth.fix }
      let topic: WorkTopic? = waitedFor == .disk ? .files : self.topic ?? sampled?.topic
      if topic == .collection {
        return WorkTopic.allocateLess + (parts?.around).phrase { "; the work around it is \($0)" }
          + "."
      }
      return topic?.fix(in: toolkit) ?? fixOfPhase(in: toolkit) ?? fixOfAnyWork(in: toolkit)
    }

    /// What to do about the phase that a widget or a composable runs in, `FeedRow` in `BUILD`, or `nil` if the
    /// work is none.
    private func fixOfPhase(in toolkit: Toolkit?) -> Phrase? {
      guard let place = parts?.place, let name = work.name, name.first?.isUppercase == true,
        name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
      else { return nil }
      return ToolkitTerms.advice(onPhase: place, of: toolkit).map { "\(words: $0)" }
    }

    private func fixOfAnyWork(in toolkit: Toolkit?) -> Phrase {
      if WorkTopic.grows(work) {
        return
          "Make it large enough before the scroll, so that nothing grows while something moves."
      }
      let needed = WorkTopic.needs(work, in: toolkit)
      if isBetweenFrames {
        if let needed {
          return
            "Run it in parts that fit between two frames, or when nothing moves; work that needs no"
            + " \(words: needed) can run on another thread\(.background, of: toolkit)."
        }
        return
          "Run it on another thread\(.background, of: toolkit), or in parts that fit between two"
          + " frames, or when nothing moves."
      }
      if cause.isWhole, many != nil { return Self.doLess }
      if !cause.isWhole, parts?.areTooMany == true { return WorkParts.callLess(work) }
      if let place = parts?.place, WorkTopic(place) == .cells {
        return WorkTopic.keepOutOfCell(work, in: toolkit)
      }
      if cause.isWhole, parts?.isMostlyOwn != true { return Self.shorten }
      let here = thread.phrase { "the thread '\(name: $0)'" }.ifEmpty("the main thread")
      return needed.phrase {
        "Do less of it, or do it in parts that fit into the idle time of a frame, or when nothing moves; what"
          + " needs no \(words: $0) can run off \(here)\(.background, of: toolkit)."
      }.ifEmpty(
        "Move it off \(here)\(.background, of: toolkit), postpone it until nothing moves, or"
          + " split it into parts that fit into the idle time of a frame.")
    }
  }
}
