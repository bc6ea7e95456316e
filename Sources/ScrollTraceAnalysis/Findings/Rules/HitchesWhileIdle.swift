import ScrollTraceModel

/// Hitches during which the main thread was mostly idle, and the work of other threads in that time.
struct HitchesWhileIdle: FindingRule {
  static let id = FindingID.hitchesWhileIdle

  func findings(in context: FindingContext) -> [Finding] {
    findings(of: \.idle, in: context) { group, surface in
      Evidence(
        group: group, meanwhile: WorkMeanwhile(of: group, on: surface, in: context),
        mayPause: context.options.namesInteractions && group.isOfLongDelays,
        trace: context.trace)
    }
  }

  private struct Evidence: FindingEvidence {
    let group: HitchGroup
    /// The work of other threads, or `nil` if none is behind most of these frames.
    let meanwhile: WorkMeanwhile?
    /// Whether it may have been a pause in what the user says moved.
    let mayPause: Bool
    let trace: Trace

    var title: Phrase {
      meanwhile.phrase {
        "frames are late while \($0.work) runs and the main thread has nothing to do"
      }
      .ifEmpty("frames are late while the main thread has nothing to do")
    }
    var sentence: Phrase {
      let ran = meanwhile.phrase {
        ", and \($0.work) ran on \(threads: $0.threads, of: trace) for \($0.time)"
      }
      return
        "in \(group.count, "hitch", "hitches") the main thread was idle for \(group.total) of"
        + " \(group.windows)\(ran)"
    }
    var facts: Finding.Facts {
      let threads = meanwhile?.threads.map { trace.displayName(of: $0) }.distinct ?? []
      return [
        ("work", .name(meanwhile?.work.name)), ("threads", .names(threads)),
        ("workNs", .time(meanwhile?.time)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      guard let meanwhile else {
        return mayPause
          ? HitchGroup.fixOfPause
          : "Look for the cause off the main thread: another thread or process, the display, or a frame"
            + " that was asked for late. Mark waits to see them."
      }
      switch WorkTopic(meanwhile.work) {
      case .images, .textures, .shaders:
        return WorkTopic.fix(ofDrawing: meanwhile.work, in: toolkit)
      case .collection: return WorkTopic.allocateLess + "."
      default: break
      }
      let draws = meanwhile.threads.contains { trace.displayName(of: $0).isNameOfDrawingThread }
      return draws || WorkTopic.draws(meanwhile.work)
        ? WorkTopic.fix(ofDrawing: meanwhile.work, in: toolkit)
        : "If these frames need its results, start it earlier, do less of it, or show a placeholder until it is done."
          + " The main thread needs no change."
    }
  }
}
