import ScrollTraceModel

/// Late frames whose thread waited, in a span marked so or by the system's count (M-16).
struct WaitOnMainThread: FindingRule {
  static let id = FindingID.waitOnMainThread

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      guard case .wait(let wait) = cause.cause else { return nil }
      var faults: Int64 = 0
      var longest = TimeSpan.zero
      var around: [WorkName: TimeSpan] = [:]
      for (_, attribution) in cause.hitches {
        faults = faults.saturatingAdd(attribution.thread?.diskFaults ?? 0)
        let time = cause.cause.time(in: attribution)
        longest = max(longest, time)
        for occupant in attribution.occupants where occupant.wait == wait && occupant.isWait {
          if let work = occupant.around { around[work, default: .zero] += occupant.waited }
        }
      }
      let evidence = Evidence(
        wait: wait,
        around: around.max { ($0.value, $1.key.name ?? "") < ($1.value, $0.key.name ?? "") }?.key,
        time: cause.time, window: cause.window, longest: longest, hitches: cause.hitches.count,
        faults: Int(clamping: faults),
        recording: context.samples == nil ? RecordingAdvice(of: context.trace) : nil)
      let certainty: Finding.Certainty =
        wait.owner != nil ? .named : wait.kind == .unknown ? .unknown : .kind
      return finding(of: cause, evidence, in: context, certainty: certainty)
    }
  }

  private struct Evidence: FindingEvidence {
    let wait: Wait
    /// The work around a marked wait.
    let around: WorkName?
    let time: TimeSpan
    let window: TimeSpan
    let longest: TimeSpan
    let hitches: Int
    let faults: Int
    /// How to see more, or `nil` if samples show it.
    let recording: RecordingAdvice?

    var title: Phrase {
      let waits: Phrase = "the main thread waits in \(wait.span)"
      return switch wait.kind {
      case .lock:
        wait.owner.phrase { owner in
          let thread: Phrase = owner.thread.hasPrefix("thread ") ? "" : "thread "
          let name: Phrase = "\(thread)\(name: owner.thread)"
          return owner.work.phrase { waits + " for '\(name: $0)' (\(name))" }
            .ifEmpty(waits + " for \(name)")
        }.ifEmpty(waits + " for a lock")
      case .disk: waits + " for the disk"
      case .process: waits + " for another process"
      case .timer: "the main thread sleeps in \(wait.span)"
      case .display: waits + " for the display"
      case .unknown: waits
      }
    }
    var sentence: Phrase {
      let inside = around.phrase { ", inside \($0)" }
      let faults: Phrase = faults > 0 ? "; \(faults, "page") read from disk" : ""
      let unknown: Phrase = wait.kind == .unknown ? "; the trace does not show for what" : ""
      return "it waited \(time) of \(window) in \(hitches, "late frame"), at most"
        + " \(longest)\(inside)\(faults)\(unknown)"
    }
    var facts: Finding.Facts {
      [
        ("category", .name(wait.span.category)), ("name", .name(wait.span.name)),
        ("waitKind", .name(wait.kind.rawValue)), ("heldByThread", .name(wait.owner?.thread)),
        ("heldByWork", .name(wait.owner?.work)), ("longestNs", .time(longest)),
        ("diskFaults", .count(faults)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      switch wait.kind {
      case .lock:
        "Hold that lock for less time, or build the new state aside and swap it in, so that the"
          + " main thread never waits for it."
      case .disk:
        "Read and write files outside of the commit, in the background\(.background, of: toolkit),"
          + " and keep in memory what frames need."
      case .process:
        "Ask before the answer is needed, off the main thread\(.background, of: toolkit), and show"
          + " a placeholder until it is there."
      case .timer: "Do not sleep on the main thread: schedule a callback for that time instead."
      case .display:
        "Wait for the display after the work of the frame, not before it, and keep at most one"
          + " frame in flight."
      case .unknown:
        recording.phrase {
          "\(words: $0.seeWork), to see what it waits for. Whatever it is, wait for it off the main"
            + " thread\(.background, of: toolkit)."
        }.ifEmpty(
          "Look at the functions that waited in these frames, and do that before or after them, off"
            + " the main thread\(.background, of: toolkit).")
      }
    }
  }
}
