import ScrollTraceModel

/// A function without a span of its own that fills late frames, by samples (M-26).
struct HeavyUnrecordedCode: FindingRule {
  static let id = FindingID.unrecordedCode

  func findings(in context: FindingContext) -> [Finding] {
    var named: Set<String> = []
    return context.openCauses.compactMap { cause in
      guard let part = Self.part(of: cause, in: context),
        named.insert(part.code.function).inserted
      else { return nil }
      let label = Self.label(of: part.cause)
      // The source knows better what the app did between two samples.
      if part.code.isIdle, label?.includes("app update") == true { return nil }
      let evidence = Evidence(
        code: part.code, cause: part.cause, samples: part.samples, label: label,
        isRecorded: context.trace.source.format == "fxt")
      return finding(
        of: part.cause, count: part.samples, evidence, in: context, certainty: .named,
        isRemovable: !part.code.isIdle)
    }
  }

  /// The part of a cause that no span names, or only a hang, that one function takes, and the number of its
  /// samples; or `nil` if samples name none.
  static func part(
    of cause: HitchCause, in context: FindingContext
  ) -> (code: SampledCode, cause: HitchCause, samples: Int)? {
    let minimum = FindingThresholds.lateFrameShare
    guard cause.cause == .unrecorded || cause.work?.isHang == true, let all = context.samples,
      let account = all.hitches[cause.surface.surface], !account.isOnlyOrder,
      let code = account.unrecorded, code.time.isPart(minimum, of: account.length)
    else { return nil }
    let frames = cause.surface.lateFrames
    let samples = all.timeline.samples(
      of: code.sampledFunction,
      in: Set(
        cause.hitches.map(\.attribution.window)
          + frames.flatMap { [$0.commit, $0.attribution].compactMap { $0?.window } }))
    let hitches = cause.hitches.filter {
      let window = $0.attribution.window
      return (samples[window]?.time ?? .zero).isPart(minimum, of: window.length)
    }
    guard !hitches.isEmpty else { return nil }
    let windows = Set(hitches.map(\.attribution.window))
    let removable = frames.removed { attribution in
      // Time without a sample is shared out as the time with one.
      let found = samples[attribution.window] ?? FunctionSamples()
      let share = found.time.share(of: found.sampled)
      return min(cause.cause.time(in: attribution), attribution.window.length.scaled(by: share))
    }
    let part = HitchCause(
      cause: cause.cause, surface: cause.surface, hitches: hitches,
      time: windows.reduce(.zero) { $0 + (samples[$1]?.time ?? .zero) }, removable: removable)
    return (code, part, windows.reduce(0) { $0 + (samples[$1]?.count ?? 0) })
  }

  /// The source's own word for most of the hitches, or `nil` if it has none.
  private static func label(of cause: HitchCause) -> String? {
    var counts: [String: Int] = [:]
    for (hitch, _) in cause.hitches { hitch.sourceLabel.map { counts[$0, default: 0] += 1 } }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.flatMap { $0.value * 2 > cause.hitches.count ? $0.key : nil }
  }

  private struct Evidence: FindingEvidence {
    let code: SampledCode
    let cause: HitchCause
    let samples: Int
    /// The source's own word for the hitches, or `nil` if it has none.
    let label: String?
    /// Whether our recorder made the trace, so that the host can record spans.
    let isRecorded: Bool

    private var share: Double { cause.time.share(of: cause.window) }

    /// Whether it is the code of a browser while no script runs, which its profiler has no name for.
    private var isOfBrowser: Bool { code.function == "(program)" }

    private var path: Phrase {
      if isOfBrowser { return "the browser's own code, outside of scripts," }
      // Functions without a name differ by their file.
      if code.function == "(anonymous)", let module = code.module {
        return "\(name: code.function) of \(name: module)"
      }
      if let called = code.called { return "\(name: code.function) › \(name: called)" }
      return code.caller.phrase { "\(name: $0) › \(name: code.function)" }
        .ifEmpty("\(name: code.function)")
    }

    var title: Phrase {
      if code.isIdle { return "the main thread waits for events while frames come late" }
      return waitsForLock
        ? "the main thread waits in '\(name: code.function)' for a lock"
        : "\(path) makes frames late"
    }
    var sentence: Phrase {
      let (time, hitches) = (cause.time, cause.hitches.count)
      if code.isIdle {
        let source = label.phrase { "; the source says: \(name: $0)" }
        return "it waited \(time) of \(cause.window) in \(hitches, "hitch", "hitches"), by"
          + " \(samples, "sample")\(source)"
      }
      return "without a span of its own, it took \(time) (\(share: share)) of \(cause.window) in"
        + " \(hitches, "hitch", "hitches"), by \(samples, "sample")"
    }
    var facts: Finding.Facts {
      [
        ("function", .name(code.function)), ("caller", .name(code.caller)),
        ("called", .name(code.called)), ("module", .name(code.module)), ("share", .number(share)),
        ("samples", .count(samples)),
      ]
    }

    /// Whether the function spends most of its time waiting for a lock.
    private var waitsForLock: Bool {
      code.called.flatMap { WaitResolver.kind(ofFunction: $0) } == .lock
    }

    /// Whether the function is an address, so that its symbols have to be found first.
    private var isAddress: Bool {
      code.function.hasPrefix("0x")
        && code.function.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      if code.isIdle {
        return
          "Draw less, with fewer layers, shadows, masks, blurs and large images, or look for what these frames"
          + " waited for: the main thread had nothing to do."
      }
      if isAddress {
        return
          "Read the trace with --symbols DIR, the folder with the app's symbols, to see which"
          + " function it is."
      }
      if waitsForLock { return Wait.holdLockLess }
      let functions = [code.called, code.function].compactMap(\.self).map {
        WorkName(category: "", name: $0)
      }
      let topics = functions.compactMap { WorkTopic($0) }
      if topics.contains(.images) { return WorkTopic.decodeAhead(in: toolkit) }
      if topics.contains(.collection) { return WorkTopic.allocateLess + "." }
      if isOfBrowser {
        return
          "Change, store and send less while something moves: this is what the browser does for the page between"
          + " scripts, such as messages and storage, beside the work that spans name."
      }
      if !code.isOwn {
        let module = code.module.phrase {
          " (\(name: String($0.split(separator: "/").last ?? "")))"
        }
        return
          "It is code of the system\(module) that the app calls for: ask for less of it at once,"
          + " such as fewer views and shorter texts, or do it ahead and keep the result."
      }
      let needed = functions.compactMap { WorkTopic.needs($0, in: toolkit) }.first
      let ofTopic = topics.compactMap { $0.fix(in: toolkit) }.first
      let advice =
        ofTopic
        ?? needed.phrase {
          "Do less of it, or do it ahead; what needs no \(words: $0) can run off the main"
            + " thread\(.background, of: toolkit)."
        }.ifEmpty(
          "Move it off the main thread\(.background, of: toolkit), do it ahead, or do less of it.")
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
