package import ScrollTraceModel

/// Words with the numbers and names in them, which a renderer writes in its own way.
package struct Phrase: Hashable, Sendable {
  /// A piece of a phrase.
  package enum Part: Hashable, Sendable {
    /// Words of the tool.
    case words(String)
    /// A name of the trace.
    case name(String)
    case length(TimeSpan)
    case interval(TimeSpan)
    /// A share, 0 to 1.
    case share(Double)
    /// A number with its noun.
    case count(Int, one: String, many: String)
    /// A number with this many decimals.
    case number(Double, decimals: Int)
    case bytes(UInt64)
    /// A refresh interval as a rate.
    case rate(TimeSpan)
  }

  package private(set) var parts: [Part]

  package var isEmpty: Bool { parts.isEmpty }

  static func + (left: Phrase, right: Phrase) -> Phrase { Phrase(parts: left.parts + right.parts) }

  private init(parts: [Part]) { self.parts = parts }
}

extension Phrase: ExpressibleByStringInterpolation {
  package init(stringLiteral words: String) { parts = words.isEmpty ? [] : [.words(words)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: String) {
      if !words.isEmpty { parts.append(.words(words)) }
    }

    /// Adds words of the tool, not of a trace.
    package mutating func appendInterpolation(words: String) { appendLiteral(words) }

    package mutating func appendInterpolation(_ phrase: Phrase) { parts += phrase.parts }

    package mutating func appendInterpolation(_ length: TimeSpan) { parts.append(.length(length)) }

    package mutating func appendInterpolation(interval: TimeSpan) {
      parts.append(.interval(interval))
    }

    package mutating func appendInterpolation(rate: TimeSpan) { parts.append(.rate(rate)) }

    package mutating func appendInterpolation(share: Double) { parts.append(.share(share)) }

    package mutating func appendInterpolation(bytes: UInt64) { parts.append(.bytes(bytes)) }

    package mutating func appendInterpolation(name: String) { parts.append(.name(name)) }

    package mutating func appendInterpolation(_ work: WorkName) {
      let name = work.name ?? String(Label.withoutPrefix(work.category))
      parts += [.words("'"), .name(name), .words("'")]
    }

    package mutating func appendInterpolation(_ count: Int, _ one: String, _ many: String? = nil) {
      parts.append(.count(count, one: one, many: many ?? one + "s"))
    }

    package mutating func appendInterpolation(_ number: Int) { appendLiteral("\(number)") }

    package mutating func appendInterpolation(_ number: Double, decimals: Int) {
      parts.append(.number(number, decimals: decimals))
    }

    package mutating func appendInterpolation(_ names: [String], _ noun: String, more: Int = 0) {
      parts.append(.words(names.count + more == 1 ? "\(noun) " : "\(noun)s "))
      appendInterpolation(list: names, more: more)
    }

    package mutating func appendInterpolation(list names: [String], more: Int = 0) {
      appendInterpolation(list: names.map { "\(name: $0)" as Phrase }, more: more)
    }

    mutating func appendInterpolation(list phrases: [Phrase], more: Int = 0) {
      for (index, phrase) in phrases.enumerated() {
        let isLast = index == phrases.count - 1 && more == 0
        if index > 0 { appendLiteral(isLast ? " and " : ", ") }
        appendInterpolation(phrase)
      }
      if more > 0 { appendLiteral(" and \(more) more") }
    }

    /// Adds the host's term for a topic in parentheses after a space, if it has one.
    mutating func appendInterpolation(_ topic: AdviceTopic, of toolkit: Toolkit?) {
      appendLiteral(ToolkitTerms.parenthesized(topic, of: toolkit))
    }
  }
}

extension Optional {
  /// Returns a phrase about the value, or an empty one if there is none.
  func phrase(_ phrase: (Wrapped) -> Phrase) -> Phrase { map(phrase) ?? "" }
}
