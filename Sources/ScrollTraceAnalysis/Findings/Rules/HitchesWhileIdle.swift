import ScrollTraceModel

/// Hitches during which the main thread mostly had nothing to do.
struct HitchesWhileIdle: FindingRule {
  static let id = FindingID.hitchesWhileIdle

  func findings(in context: FindingContext) -> [Finding] {
    findings(of: \.idle, in: context, Evidence.init)
  }

  private struct Evidence: FindingEvidence {
    let group: HitchGroup

    var title: Phrase { "frames are late while the main thread has nothing to do" }
    var sentence: Phrase {
      "in \(group.count, "hitch", "hitches") the main thread was idle for \(group.total) of"
        + " \(group.windows)"
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Look for the cause off the main thread: another thread or process, the display, or a frame"
        + " that was asked for late. Mark waits to see them."
    }
  }
}
