package import ScrollTraceModel

/// A conclusion of the analysis, with its evidence and what to do (M-19).
package struct Finding: Equatable, Sendable {
  /// What a finding is about.
  package enum Subject: Equatable, Sendable {
    case surface(String)
    case list(String)
    case trace
  }

  /// The time or frame in which something happened.
  package struct Occurrence: Equatable, Sendable {
    package let frame: UInt64?
    package let time: Timestamp
  }

  /// The measurements that every finding has.
  package struct Measures: Equatable, Sendable {
    /// The number of occurrences, at least one.
    package let count: Int
    /// The total duration, or `nil` if it is unknown or the occurrences have none.
    package var total: TimeSpan?
    package var hitches = 0
    /// The hitch time of those hitches inside their surface's measured time.
    package var hitchTime = TimeSpan.zero
    /// The worst occurrence, or `nil` if it has no frame and time.
    package var worst: Occurrence?
  }

  /// A value of a finding's own evidence.
  package enum Value: Equatable, Sendable {
    case time(TimeSpan?)
    case count(Int?)
    case number(Double?)
    case name(String?)
    case names([String])
    case flag(Bool)
  }

  /// Values by their keys in JSON, in order.
  package typealias Facts = [(key: String, value: Value)]

  /// The words of a finding.
  package struct Words: Equatable, Sendable {
    /// A few words, without a period.
    package let title: Phrase
    /// The evidence as sentences without periods.
    package let evidence: [Phrase]
    /// What to do, as sentences.
    package let fix: Phrase
  }

  package let id: FindingID
  package let subject: Subject
  package let measures: Measures
  /// The hitch time removed without the cause (M-17), or `nil` if no work of the app is the cause.
  package let removable: TimeSpan?
  /// The hitch time of the surface, or `nil` if the finding is about none.
  package let whole: TimeSpan?
  /// What goes together with another cause of the same late frames, or `nil` if there is none.
  package let together: Together?
  package let words: Words
  package let facts: Facts
  /// The cause of the hitches, or `nil` if it is none of the app's work.
  package let cause: RemovableCause?
  /// The state in which it happened, as `--state` takes it, or `nil` for any.
  package let state: String?
  /// How sure the evidence names the cause.
  let certainty: Certainty
  /// The time that the finding is ranked by.
  let weight: TimeSpan

  /// What two causes of the same late frames take.
  package struct Together: Equatable, Sendable {
    package let cause: RemovableCause
    package let time: TimeSpan
  }

  /// How sure the evidence names a cause, the surest first.
  enum Certainty: Int, Sendable {
    /// The owner or the function is named.
    case named
    case kind
    case unknown
    /// The way in which slow things are organized.
    case organization
  }

  package static func == (left: Finding, right: Finding) -> Bool {
    left.id == right.id && left.subject == right.subject && left.measures == right.measures
      && left.removable == right.removable && left.words == right.words
      && left.facts.elementsEqual(right.facts) { $0.key == $1.key && $0.value == $1.value }
  }

  /// Returns a Boolean value indicating whether both findings give the same advice on hitches, word for word, but
  /// of two surfaces.
  func saysSame(as other: Finding) -> Bool {
    guard case .surface(let name) = subject, case .surface(let otherName) = other.subject else {
      return false
    }
    return name != otherName && id == other.id && state == other.state
      && measures.hitches > 0 && other.measures.hitches > 0
      && words.title == other.words.title && words.fix == other.words.fix
  }

  /// The keys of facts that name work.
  private static let workKeys: Set = ["name", "work", "function"]

  /// The work that the evidence names, without numbers, by which names of one kind of work differ.
  private var namedWork: [String] {
    facts.compactMap { key, value in
      guard Self.workKeys.contains(key), case .name(let name?) = value else { return nil }
      return name.filter { !$0.isNumber }
    }
  }

  /// Returns a Boolean value indicating whether both findings are of one rule about the same subject, cause,
  /// work and state.
  ///
  /// - Parameter otherCause: The cause of `other` under the name that it has here.
  func isAboutSame(as other: Finding, causedBy otherCause: RemovableCause?) -> Bool {
    id == other.id && subject == other.subject && state == other.state
      && cause?.withoutWhole == otherCause?.withoutWhole && namedWork == other.namedWork
  }
}

extension Array {
  /// Returns the elements, each with later ones that say the same.
  func distinct(
    where saysSame: (Element, Element) -> Bool
  ) -> [(finding: Element, same: [Element])] {
    reduce(into: []) { distinct, finding in
      if let index = distinct.firstIndex(where: { saysSame($0.finding, finding) }) {
        distinct[index].same.append(finding)
      } else {
        distinct.append((finding, []))
      }
    }
  }
}

extension Finding.Subject {
  /// The order among findings that are equal otherwise.
  var rank: Int {
    switch self {
    case .surface: 0
    case .list: 1
    case .trace: 2
    }
  }

  package var name: String {
    switch self {
    case .surface(let name), .list(let name): name
    case .trace: ""
    }
  }
}

extension Finding {
  /// What the fix is worth as a sentence, or `nil` if it removes no hitch time.
  package var worth: Phrase? { worth { $0 == $1 } }

  /// Returns what the fix is worth as a sentence, or `nil` if it removes no hitch time.
  ///
  /// - Parameter isSame: Whether two times read the same.
  package func worth(isSame: (TimeSpan, TimeSpan) -> Bool) -> Phrase? {
    guard let removable, let whole, removable > .zero, whole > .zero else { return nil }
    // To see it makes nothing faster.
    if cause == .unrecorded, certainty == .unknown {
      return isSame(removable, whole)
        ? "It accounts for all \(whole) of hitch time."
        : "It accounts for \(removable) of \(whole)."
    }
    let part: Phrase =
      isSame(removable, whole)
      ? "Saves up to all \(whole) of hitch time." : "Saves up to \(removable) of \(whole)."
    return part + together.phrase { " Together with \($0.cause.phrase): \($0.time) of \(whole)." }
  }
}

extension RemovableCause {
  /// The cause by the name of its work alone, whether or not what is inside counts too.
  fileprivate var withoutWhole: RemovableCause {
    if case .whole(let work) = self { .work(work) } else { self }
  }

  package var phrase: Phrase {
    switch self {
    case .work(let work), .whole(let work): "\(work)"
    case .item(let work, let item): "\(work) for item \(name: item)"
    case .wait(let wait): wait.phrase
    case .unrecorded: "what is not instrumented"
    }
  }
}

extension Wait {
  /// The wait in a few words: `waiting in 'cache lock', held by cache compactor in compact cache`.
  package var phrase: Phrase {
    let what: Phrase =
      switch kind {
      case .lock:
        owner.phrase { owner in
          ", held by \(name: owner.thread)\(owner.work.phrase { " in \(name: $0)" })"
        }
      case .result:
        owner.phrase { owner in
          owner.work.phrase { " for '\(name: $0)' of \(name: owner.thread)" }
            .ifEmpty(" for \(name: owner.thread)")
        }
      case .process: kind.phrase + owner.phrase { " (\(name: $0.thread))" }
      case .display: " for the display"
      case .renderThread, .disk, .timer, .unknown: kind.phrase
      }
    return "waiting in \(span)\(what)"
  }
}
