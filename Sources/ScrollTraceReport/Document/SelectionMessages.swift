package import ScrollTraceAnalysis
package import ScrollTraceModel

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
        + " and the numbers 1 to \(count)"
    case .behindEnd(let from, let length):
      return "--from \(Quantity.instant(from)) is past the end; duration \(Quantity.length(length))"
    case .interactionsBehindEnd(let names, let length):
      return "lasts \(Quantity.length(length)), and behind that begins"
        + " \(names.count == 1 ? "the interaction" : "each of the interactions")"
        + " \(list(names.map(quoted)))"
    case .unknownMarks(let pattern, let known):
      return "has no marks NAME:begin and NAME:end and no asynchronous span NAME that"
        + " \(quoted(pattern)) fits; "
        + (known.isEmpty ? "the trace has none" : "known: \(list(known.map(quoted)))")
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
        : "there are \(Quantity.count(count, "frame")) from \(range.lowerBound) to"
          + " \(range.upperBound), the nearest is \(nearest)"
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
