/// The part of a run that a metric is computed for.
public enum MetricSubject: Hashable, Sendable {
  /// The primary surface of each run.
  case primary
  /// The surface of this name, or whose name matches this pattern: the primary one if several match,
  /// otherwise the first.
  case surface(String)
  /// The interactions of the primary surface whose kind or name matches a pattern, combined.
  case interaction(String)
  /// The time in which a state had a value, on the primary surface.
  case state(key: String, value: String)

  /// The subject in words, empty for the primary surface. It is also the key in baselines.
  package var text: String {
    switch self {
    case .primary: ""
    case .surface(let pattern): "surface \(pattern)"
    case .interaction(let pattern): "interaction \(pattern)"
    case .state(let key, let value): "state \(key)=\(value)"
    }
  }

  /// What the subject is, empty for the primary surface.
  package var kind: String {
    switch self {
    case .primary: ""
    case .surface: "surface"
    case .interaction: "interaction"
    case .state: "state"
    }
  }
}

extension MetricSubject {
  /// The maximum number of names in a list.
  private static let maximumNames = 6

  /// Lists the subjects of this kind in `runs`, for messages about a missing one.
  package func known(in runs: [Analysis]) -> String {
    let all = runs.flatMap(names)
    let names = all.reduce(into: [String]()) { known, name in
      if known.count <= Self.maximumNames, !known.contains(name) { known.append(name) }
    }
    guard !names.isEmpty else { return "there is none" }
    let more = names.count > Self.maximumNames ? ", …" : ""
    return "there \(names.count == 1 ? "is" : "are") "
      + names.prefix(Self.maximumNames).map { "'\($0)'" }.joined(separator: ", ") + more
  }

  private func names(in run: Analysis) -> [String] {
    switch self {
    case .primary: []
    case .surface: run.surfaces.map(\.name)
    case .interaction:
      (run.evaluatedPrimarySurface?.interactions ?? []).flatMap { [$0.kind, $0.name] }
        .filter { !$0.isEmpty }
    case .state: (run.evaluatedPrimarySurface?.states ?? []).map { "\($0.key)=\($0.value)" }
    }
  }
}
