/// What a part of a budget is about.
package enum BudgetSubject: Hashable, Sendable {
  /// The leading surface of each run.
  case primary
  /// The surface whose name a pattern fits; of several the leading one, else the first.
  case surface(String)
  /// The interactions of the leading surface whose kind or name a pattern fits, together.
  case interaction(String)
  /// The time in which a state held a value, on the leading surface.
  case state(key: String, value: String)

  /// The subject in words, empty for the leading surface; also its key in baselines.
  package var text: String {
    switch self {
    case .primary: ""
    case .surface(let pattern): "surface \(pattern)"
    case .interaction(let pattern): "interaction \(pattern)"
    case .state(let key, let value): "state \(key)=\(value)"
    }
  }
}
