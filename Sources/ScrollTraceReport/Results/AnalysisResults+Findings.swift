public import ScrollTraceAnalysis
public import ScrollTraceModel

extension AnalysisResults {
  /// A conclusion, with its evidence and what to do (M-19).
  public struct Finding: Codable, Sendable {
    /// The identifier of its rule; the page *Findings* lists them.
    public let kind: String
    /// The name of the surface that it is about, or `nil` if it is about none.
    public let surface: String?
    /// The name of the list that it is about, or `nil` if it is about none.
    public let list: String?
    /// The cause of the hitches, or `nil` if it is not the app's work.
    public let cause: NamedCause?
    /// The number of occurrences, at least 1.
    public let count: Int
    /// Their total duration, or `nil` if it is unknown or they have none.
    public let total: TimeSpan?
    /// The number of affected hitches.
    public let hitches: Int
    /// The hitch time of those hitches in the measured time.
    public let hitchTime: TimeSpan
    /// The hitch time removed without the cause (M-17), or `nil` if that is not the app's work.
    public let removableHitchTime: TimeSpan?
    /// The worst frame, or `nil` if there is none.
    public let worstFrame: UInt64?
    /// The time of the worst occurrence, or `nil` if it has none.
    public let worstAt: TimeSpan?
    /// The evidence of its rule.
    public let evidence: Evidence
    /// A short title, which may be reworded, as may all texts of a finding.
    public let title: String
    /// The evidence as sentences.
    public let text: String
    /// What to do, as sentences.
    public let fix: String
    /// The benefit of the fix, or `nil` if it removes no hitch time.
    public let worth: String?
    /// The command that shows the evidence.
    public let command: String

    private enum CodingKeys: String, CodingKey {
      case kind, surface, list, cause, count, total = "totalNs", hitches, hitchTime = "hitchTimeNs"
      case removableHitchTime = "removableHitchTimeNs", worstFrame, worstAt = "worstAtNs", evidence
      case title, text, fix, worth, command
    }

    init(_ finding: ScrollTraceAnalysis.Finding, _ words: FindingWords) {
      let measures = finding.measures
      kind = finding.id.rawValue
      if case .surface(let name) = finding.subject { surface = name } else { surface = nil }
      if case .list(let name) = finding.subject { list = name } else { list = nil }
      cause = finding.cause.map(NamedCause.init)
      count = measures.count
      total = measures.total
      hitches = measures.hitches
      hitchTime = measures.hitchTime
      removableHitchTime = finding.removable
      worstFrame = measures.worst?.frame
      worstAt = measures.worst.map { $0.time - words.start }
      evidence = Evidence(finding.facts)
      title = words.text.title(of: finding)
      text = words.text.evidence(of: finding)
      fix = words.text.fix(of: finding)
      worth = words.text.worth(of: finding)
      command = words.steps.step(showing: finding).text()
    }
  }

  /// What the texts of all findings of a run are made with.
  struct FindingWords {
    let start: Timestamp
    let text: FindingText
    let steps: RunSteps

    init(of run: Analysis) {
      start = run.trace.range.start
      text = FindingText(of: run.trace)
      steps = RunMessages(run).steps
    }
  }

  /// The evidence of a finding: values by keys that depend on its kind.
  ///
  /// ```swift
  /// if case .time(let median)? = finding.evidence["medianNs"] { print(median.milliseconds) }
  /// ```
  public struct Evidence: Codable, Sendable {
    /// A value of the evidence.
    public enum Value: Equatable, Sendable {
      /// A time. Its key ends in `Ns`.
      case time(TimeSpan)
      /// A number.
      case number(Number)
      /// A name or word.
      case text(String)
      /// Names.
      case texts([String])
      /// A fact that holds or not.
      case flag(Bool)
      /// A value that is not known.
      case unknown
    }

    private let values: [(key: String, value: Value)]

    /// The keys, in order.
    public var keys: [String] { values.map(\.key) }

    /// The value of a key, or `nil` if there is no such key.
    public subscript(key: String) -> Value? { values.first { $0.key == key }?.value }

    init(_ facts: [(key: String, value: ScrollTraceAnalysis.Finding.Value)]) {
      values = facts.map { key, value in
        let found: Value? =
          switch value {
          case .time(let time): time.map { .time($0) }
          case .count(let count): count.map { .number(Number($0)) }
          case .number(let number): number.map { .number(Number($0)) }
          case .name(let name): name.map { .text($0) }
          case .names(let names): .texts(names)
          case .flag(let flag): .flag(flag)
          }
        return (key, found ?? .unknown)
      }
    }

    /// Creates the evidence in an object.
    public init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: AnyKey.self)
      values = try object.allKeys.map { key in
        let value: Value =
          if try object.decodeNil(forKey: key) {
            .unknown
          } else if let flag = try? object.decode(Bool.self, forKey: key) {
            .flag(flag)
          } else if let text = try? object.decode(String.self, forKey: key) {
            .text(text)
          } else if let texts = try? object.decode([String].self, forKey: key) {
            .texts(texts)
          } else if key.stringValue.hasSuffix("Ns") {
            .time(try object.decode(TimeSpan.self, forKey: key))
          } else {
            .number(try object.decode(Number.self, forKey: key))
          }
        return (key.stringValue, value)
      }
    }

    /// Encodes the evidence as an object.
    public func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: AnyKey.self)
      for (name, value) in values {
        let key = AnyKey(name)
        switch value {
        case .time(let time): try object.encode(time, forKey: key)
        case .number(let number): try object.encode(number, forKey: key)
        case .text(let text): try object.encode(text, forKey: key)
        case .texts(let texts): try object.encode(texts, forKey: key)
        case .flag(let flag): try object.encode(flag, forKey: key)
        case .unknown: try object.encodeNil(forKey: key)
        }
      }
    }
  }

  /// The hitch time removed without a cause (M-17).
  public struct Prediction: Codable, Sendable {
    /// The cause.
    public let cause: NamedCause
    /// How many times as fast the cause would be, or `nil` if it were gone.
    public let speedup: Double?
    /// The maximum of the removed hitch time.
    public let upTo: TimeSpan
    /// All hitch time.
    public let of: TimeSpan
    /// The causes of the same late frames, with the hitch time removed without both.
    public let with: [Pair]
    /// Why no hitch time is removed, or `nil` if some is.
    public let reason: PredictionReason?

    /// The hitch time removed without two causes.
    public struct Pair: Codable, Sendable {
      /// The other cause.
      public let cause: NamedCause
      /// The hitch time removed without both.
      public let together: TimeSpan

      private enum CodingKeys: String, CodingKey { case cause, together = "togetherNs" }
    }

    private enum CodingKeys: String, CodingKey {
      case cause, speedup, upTo = "upToNs", of = "ofNs", with, reason
    }

    init(_ prediction: ScrollTraceAnalysis.Prediction) {
      switch prediction.subject {
      case .removable(let removable): cause = NamedCause(removable)
      case .other(let kind): cause = NamedCause(kind)
      }
      speedup = prediction.speedup
      upTo = prediction.upTo
      of = prediction.whole
      with = prediction.with.map { Pair(cause: NamedCause($0.cause), together: $0.together) }
      reason = prediction.reason
    }
  }
}
