import ScrollTraceModel

/// Work of one name that makes frames late, in commits or between them.
struct LongTask: FindingRule {
  static let id = FindingID.longTask

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      guard case .work(let work) = cause.cause, case let topic = WorkTopic(work), topic != .cells
      else { return nil }
      // Samples say what ran in a hang.
      if work.isHang, HeavyUnrecordedCode.part(of: cause, in: context) != nil { return nil }
      let costs = WorkCosts(of: work, in: context)
      let evidence = Evidence(
        work: work, topic: topic, names: context.workload.names.count(of: work),
        around: topic == .collection
          ? context.work(around: work, in: Set(cause.hitches.map(\.attribution.window))) : nil,
        time: cause.time, hitches: cause.hitches.count,
        median: costs?.lateMedian, memory: cause.freshMemory(in: context),
        forcedLayout: (costs?.forcedLayout ?? .zero), late: costs?.late ?? .zero,
        script: costs?.script, waits: cause.waits(in: work),
        offCore: FindingContext.isPart(0.8, cause.time, of: cause.window) ? cause.offCore : .zero,
        thread: context.trace.otherThread(of: cause.surface.surface),
        isBetweenFrames: isBetweenFrames(work, in: context))
      return finding(of: cause, evidence, in: context, certainty: .named)
    }
  }

  /// Whether most of the late work ran outside of commits.
  private func isBetweenFrames(_ work: WorkName, in context: FindingContext) -> Bool {
    let trace = context.trace
    guard let main = trace.mainTrack else { return false }
    let commits = trace.commitTime
    guard !commits.isEmpty else { return false }
    let spans = trace.tracks[main.index].spans
    var (inside, outside) = (0, 0)
    for span in spans {
      guard context.workload.names[span.label] == work,
        context.late.index(ofMost: span.range) != nil
      else { continue }
      if commits.index(containing: span.range.start) != nil {
        inside += 1
      } else {
        outside += 1
      }
    }
    return outside > inside
  }

  private struct Evidence: FindingEvidence {
    let work: WorkName
    let topic: WorkTopic?
    /// The number of names in the trace that `work` stands for, or `nil` if it is one.
    let names: Int?
    /// The work around the collection of memory.
    let around: WorkName?
    let time: TimeSpan
    let hitches: Int
    let median: TimeSpan?
    let memory: FreshMemory?
    let forcedLayout: TimeSpan
    let late: TimeSpan
    let script: String?
    let waits: (time: TimeSpan, kind: Wait.Kind?)
    /// The time in these windows in which the thread waited or had no core, and nothing says which, if the work fills
    /// them; else zero.
    let offCore: TimeSpan
    /// The thread that makes the frames, or `nil` if it is the main thread.
    let thread: String?
    let isBetweenFrames: Bool

    /// Whether most of a script's time is style and layout that it forced.
    private var forcesLayout: Bool {
      forcedLayout > .zero && forcedLayout.nanoseconds >= late.nanoseconds / 2
    }

    /// What the work waited for, if that took a quarter of its time.
    private var waitedFor: Wait.Kind? {
      waits.time.nanoseconds >= time.nanoseconds / 4 ? waits.kind : nil
    }

    /// Whether it is all work of a category, no part of which is long.
    private var isManyParts: Bool { work.name == nil && !work.category.isEmpty && !work.isHang }

    var title: Phrase {
      if work.isHang {
        return work.name == nil ? "the main thread hung" : "the main thread hung (\(work))"
      }
      if isManyParts { return "many small parts of '\(name: work.category)' make frames late" }
      if work.name?.isEmpty ?? true { return "unnamed work makes frames late" }
      let location =
        script.phrase { " (\(name: $0))" } + names.phrase { " (\($0, "name"))" }
      if forcesLayout { return "\(work)\(location) forces style and layout" }
      return isBetweenFrames
        ? "\(work)\(location) runs between frames and makes them late"
        : "\(work)\(location) makes frames late"
    }
    var sentence: Phrase {
      let each = median.phrase { ", \($0) each (median)" }
      let category: Phrase =
        work.isHang || work.category.isEmpty || work.category.hasPrefix(Label.reservedPrefix)
        ? "it" : "work of '\(name: work.category)'"
      let forced: Phrase =
        forcesLayout ? ", \(forcedLayout) of \(late) in forced style and layout" : ""
      let waited = waitedFor.phrase { "; it waited\($0.phrase) \(waits.time) of that" }
      return
        "\(category) took \(time) in \(hitches, "hitch", "hitches")\(each)\(waited)\(forced)\(memory.phrase(\.phrase))"
    }
    var facts: Finding.Facts {
      [
        ("category", .name(work.category)), ("name", .name(work.name)), ("names", .count(names)),
        ("around", .name(around?.name)),
        ("topic", .name(topic?.rawValue)), ("medianNs", .time(median)),
        ("forcedLayoutNs", .time(forcedLayout)), ("script", .name(script)),
        ("waitedNs", .time(waits.time)), ("waitKind", .name(waitedFor?.rawValue)),
        ("betweenFrames", .flag(isBetweenFrames)), ("faultsPerFrame", .count(memory?.faults)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      // A hang is the time without an answer, so there is no work to move.
      if work.isHang {
        return "Find out what blocked the main thread: record spans or samples of its work."
      }
      if isManyParts {
        return
          "Do less of them in each frame, or what they have in common once: no part alone is long."
      }
      if forcesLayout {
        return
          "Read sizes and positions before you write styles: each read after a write lays out the page"
          + " again."
      }
      if FindingContext.isPart(0.5, offCore, of: time) {
        return
          "The thread was off the core for \(offCore) of these frames: it waited, or other threads had the cores. Ask for what"
          + " it waits for ahead, off the main thread\(.background, of: toolkit), and show a placeholder until it"
          + " is there."
      }
      if let advice = ToolkitTerms.advice(onPhase: work, of: toolkit) { return "\(words: advice)" }
      switch waitedFor == .disk ? .files : topic {
      case .text:
        return
          "Shape and measure text ahead, in the background\(.background, of: toolkit), cache the"
          + " result for each text, font and width, and display less of long texts."
      case .layout:
        return
          "Lay out and measure only what is visible or changed, leave the rest valid, and cache"
          + " measured sizes."
      case .formats:
        return
          "Format dates and numbers when the data arrives\(.background, of: toolkit), keep the text with"
          + " the item, and create each formatter once."
      case .files:
        return
          "Read and write files in the background\(.background, of: toolkit) before their content"
          + " is needed, and keep what is needed in memory."
      case .collection:
        return WorkTopic.allocateLess + around.phrase { "; the work around it is \($0)" } + "."
      case .cells, .images, nil:
        let here = thread.phrase { "the thread '\(name: $0)'" }.ifEmpty("the main thread")
        return isBetweenFrames
          ? "Run it on another thread\(.background, of: toolkit), or in parts that fit between two"
            + " frames, or when nothing moves."
          : "Move it off \(here)\(.background, of: toolkit), postpone it until nothing moves, or"
            + " split it into parts that fit into the idle time of a frame."
      }
    }
  }
}

extension FindingContext {
  /// Returns the work that is open around most of the time in spans of `work` in these windows, frames and
  /// phases excepted, or `nil` if there is none.
  fileprivate func work(around work: WorkName, in windows: Set<TimeRange>) -> WorkName? {
    guard let main = trace.mainTrack else { return nil }
    let spans = trace.tracks[main.index].spans
    var times: [WorkName: Int64] = [:]
    for window in windows {
      var open: [(end: Int64, name: WorkName)] = []
      for index in workload.timelines[main.index].spanIndexes(in: window).indexes {
        let time = spans.times[index]
        while let last = open.last, last.end <= time.start { open.removeLast() }
        let name = workload.names[spans.labels[index]]
        if name == work {
          let around = open.suffix(SpanStack.maximumDepth).last {
            $0.end >= time.end && !$0.name.isFrameOfOtherWork
          }
          if let around { times[around.name, default: 0] += time.length }
        } else {
          open.append((time.end, name))
        }
      }
    }
    return times.max { ($0.value, $1.key.name ?? "") < ($1.value, $0.key.name ?? "") }?.key
  }
}
