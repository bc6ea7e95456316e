import ScrollTraceModel

/// The function that most of the time in a span is in, by samples (M-26).
struct SampledPart {
  /// A function that also runs elsewhere is around the span.
  private static let explainedTotal = 0.9

  /// The length from which a name in another is no chance.
  private static let minimumName = 4

  let code: SampledCode
  /// Whether the span is that of the function, so that what it calls says more.
  private let isOfSpan: Bool

  /// Finds the function of a cause that is work, without that in its parts if it is one as a whole; returns `nil`
  /// if samples name none inside it.
  init?(of cause: HitchCause, _ context: FindingContext) {
    guard let work = cause.ownWork, let name = work.name,
      let account = context.samples?.hitches[cause.surface.surface], !account.isOnlyOrder,
      let code = account.inWork[work], code.isMost, !code.isIdle
    else { return nil }
    guard code.isFunction else { return nil }
    let total = account.functions.first { $0.name == code.function && $0.module == code.module }
    let isLong = min(name.count, code.function.count) >= Self.minimumName
    isOfSpan =
      name == code.function || name.hasPrefix(code.function + " (")
      || isLong && (code.function.includes(name) || name.includes(code.function))
    let isInside = code.time.isPart(Self.explainedTotal, of: total?.total ?? .zero)
    guard code.called != nil || isInside && !isOfSpan else { return nil }
    self.code = code
  }

  /// The end of a title after `detail`: `: 80% of it in highlight (hl.js:10)`.
  func title(after detail: Phrase) -> Phrase {
    (detail.isEmpty ? ": " : "; ") + part
  }

  /// The function, and which part of the work is in it.
  private var part: Phrase {
    if isOfSpan, let called = code.called { return "most of it in \(name: called)" }
    let share = code.time.share(of: code.whole)
    let called = code.called.phrase { " › \(name: $0)" }
    let place = called.isEmpty ? code.file.phrase { " (\(name: $0))" } : called
    return "\(share: share) of it in \(name: code.function)\(place)"
  }

  /// What the function is about, as far as its name says.
  var topic: WorkTopic? {
    let topic = WorkTopic(WorkName(category: "", name: code.called ?? code.function))
    return topic == .cells ? nil : topic
  }
}

extension SampledCode {
  /// Whether it is a function, and not what an engine writes for none: `(program)`.
  var isFunction: Bool { !function.hasPrefix("(") || function.hasPrefix("(anonymous") }

  /// The file and the line of a script, or `nil` if it is none.
  fileprivate var file: String? {
    (module?.split(separator: "/").last).flatMap { $0.includes(":") ? String($0) : nil }
  }

  /// The function as work: `crunch (worker.js:10)`.
  var work: WorkName {
    WorkName(category: "", name: function + (file.map { " (\($0))" } ?? ""))
  }
}
