import ScrollTraceModel

/// A function without a span of its own that fills late frames, by samples (M-26).
struct HeavyUnrecordedCode: FindingRule {
  static let id = FindingID.unrecordedCode
  static let thresholds: [any NamedThreshold] = [FindingThresholds.lateFrameShare]

  func findings(in context: FindingContext) -> [Finding] {
    var named: Set<String> = []
    return context.openCauses.compactMap { cause in
      guard let (code, length) = Self.code(of: cause, in: context),
        named.insert(code.function).inserted
      else { return nil }
      let evidence = Evidence(
        code: code, share: FindingContext.share(code.time, of: length), length: length,
        hitches: cause.hitches.count, isRecorded: context.trace.source.format == "fxt")
      return finding(of: cause, count: code.samples, evidence, in: context, certainty: .named)
    }
  }

  /// The function that fills a cause which no span names, or only a hang, and the length of the windows; or
  /// `nil` if samples name none.
  static func code(
    of cause: HitchCause, in context: FindingContext
  ) -> (code: UnrecordedCode, length: TimeSpan)? {
    guard cause.cause == .unrecorded || cause.work?.isHang == true,
      let account = context.samples?.hitches[cause.surface.surface], !account.isOnlyOrder,
      let code = account.unrecorded,
      FindingContext.isPart(FindingThresholds.lateFrameShare.value, code.time, of: account.length)
    else { return nil }
    return (code, account.length)
  }

  private struct Evidence: FindingEvidence {
    let code: UnrecordedCode
    let share: Double
    let length: TimeSpan
    let hitches: Int
    /// Whether our recorder made the trace, so that the host can record spans.
    let isRecorded: Bool

    private var path: Phrase {
      if let called = code.called { return "\(name: code.function) › \(name: called)" }
      return code.caller.phrase { "\(name: $0) › \(name: code.function)" }
        .ifEmpty("\(name: code.function)")
    }

    var title: Phrase { "\(path) makes frames late" }
    var sentence: Phrase {
      "without a span of its own, it took \(code.time) (\(share: share)) of \(length) in"
        + " \(hitches, "hitch", "hitches"), by \(code.samples, "sample")"
    }
    var facts: Finding.Facts {
      [
        ("function", .name(code.function)), ("caller", .name(code.caller)),
        ("called", .name(code.called)), ("module", .name(code.module)), ("share", .number(share)),
        ("samples", .count(code.samples)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      let advice: Phrase =
        "Move it off the main thread\(.background, of: toolkit), do it ahead, or do less of it."
      // A function without symbols has no name to give to a span.
      return !isRecorded
        || code.function.split(separator: "+").dropFirst().contains { $0.hasPrefix("0x") }
        ? advice : advice + " To see it in every report: \(words: spanLine)."
    }

    /// The line with which the host would wrap the function: in Swift for a name such as `Feed.decode(_:)`,
    /// otherwise in C.
    private var spanLine: String {
      let name = code.function
      let plain = name.hasPrefix("specialized ") ? name.dropFirst("specialized ".count) : name[...]
      let text = plain.unicodeScalars.prefix {
        !"(\"\\".unicodeScalars.contains($0) && $0.value >= 0x20 && $0.value != 0x7F
      }
      return plain.contains("(")
        ? "recorder.withSpan(\"\(String(text))\") { … }"
        : "scrolltrace_span_begin(recorder, SCROLLTRACE_NAME(\"\(String(text))\"),"
          + " SCROLLTRACE_CATEGORY_WORK, SCROLLTRACE_NO_ID)"
    }
  }
}
