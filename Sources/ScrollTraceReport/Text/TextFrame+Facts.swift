import ScrollTraceAnalysis
import ScrollTraceModel

/// What is known of a frame besides its work.
extension TextFrame {
  private static let factLimit = 8

  /// Its instants in their order, and what held while it was made.
  var facts: [(label: String, text: String)] {
    let frame = detail.frame
    var facts: [(label: String, text: String)] = []
    if let begin = frame.start { facts.append(("begin", at(begin))) }
    switch (frame.commitStart, frame.commitEnd) {
    case (let start?, let end?):
      facts.append(
        ("commit", "\(at(start)) to \(at(end)); \(Quantity.length(end - start))"))
    case (nil, let end?): facts.append(("commit", "ended at \(at(end))"))
    case (let start?, nil): facts.append(("commit", "begun at \(at(start)), never ended"))
    case (nil, nil): break
    }
    if let deadline = frame.deadline {
      let miss = detail.overrun.map { overrun in
        overrun > .zero
          ? "; missed by \(Quantity.length(overrun))"
          : "; met with \(Quantity.length(overrun.magnitude)) to spare"
      }
      facts.append(("deadline", at(deadline) + (miss ?? "")))
    }
    if let target = frame.target { facts.append(("target", at(target))) }
    facts += presented
    if let interval = detail.refreshInterval {
      facts.append(("refresh", "\(Quantity.interval(interval)), \(Quantity.rate(interval))"))
    }
    return facts + circumstances
  }

  /// An instant, and how long after the frame's begin it is.
  private func at(_ time: Timestamp) -> String {
    let offset = origin.map { time - $0 } ?? .zero
    let instant = text.instant(time)
    return offset == .zero
      ? instant : "\(instant) (\(offset < .zero ? "" : "+")\(Quantity.length(offset)))"
  }

  private var presented: [(label: String, text: String)] {
    if let presented = detail.frame.presented {
      let late = detail.frame.target.map { target in
        presented == target
          ? "; on its target"
          : "; \(Quantity.length((presented - target).magnitude))"
            + (presented > target ? " after its target" : " before its target")
      }
      return [("presented", at(presented) + (late ?? ""))]
    }
    return detail.frame.outcome == .dropped ? [("presented", "never: it was dropped")] : []
  }

  /// What held while the frame was made, and what else is known of it.
  private var circumstances: [(label: String, text: String)] {
    var facts: [(label: String, text: String)] = []
    if !detail.interactions.isEmpty {
      let texts = detail.interactions.prefix(Self.factLimit).map { interaction in
        let names = [interaction.kind, interaction.name].filter { !$0.isEmpty }.map {
          text.name($0)
        }
        return "\(names.joined(separator: " ")) from \(text.instant(interaction.start))"
          + (interaction.end.map { " to \(text.instant($0))" } ?? " on")
      }
      facts.append(("interaction", texts.joined(separator: "\(text.glyphs.separator) ")))
    }
    if !detail.states.isEmpty {
      let texts = detail.states.prefix(Self.factLimit).map {
        "\(text.name($0.key)) = \(text.name($0.value))"
      }
      facts.append(("state", texts.joined(separator: "\(text.glyphs.separator) ")))
    }
    if let origin = detail.hitch?.delayedByFrame {
      facts.append(
        ("pushed late", "by frame \(origin), which ran into its time; see --frame \(origin)"))
    }
    if let label = detail.sourceLabel { facts.append(("source", "says \(text.name(label))")) }
    if detail.sameNumberCount > 1 {
      facts.append(
        ("number", "\(detail.sameNumberCount) frames have it; this is the worst of them"))
    }
    return facts
  }
}
