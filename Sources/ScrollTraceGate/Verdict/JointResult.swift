/// The result of a limit, or those of several that were not evaluated for the same reason.
package struct JointResult {
  /// The results, of which there is at least one.
  package private(set) var results: [LimitResult]
  /// The place of the first result among all.
  package let place: Int

  /// The labels of the metrics, each once.
  package var labels: String {
    results.map(\.label).reduce(into: []) { known, label in
      if !known.contains(label) { known.append(label) }
    }.joined(separator: ", ")
  }

  /// The reason, after the labels of all metrics if it is shared.
  package var reason: String {
    guard results.count > 1, let first = results.first else { return results.first?.reason ?? "" }
    return "\(labels): \(first.explanation)"
  }

  /// The subject and the reason.
  var statement: String {
    guard let first = results.first else { return "" }
    return first.sharedReason ?? (first.subject.isEmpty ? "" : first.subject + ": ") + reason
  }

  /// Returns `results` in their order, those with one reason at the place of the first.
  package static func all(_ results: [LimitResult]) -> [JointResult] {
    var places: [LimitResult.SharedExplanation: Int] = [:]
    return results.enumerated().reduce(into: []) { all, element in
      let (place, result) = element
      if let key = result.sharedExplanation {
        if let known = places[key] { return all[known].results.append(result) }
        places[key] = all.count
      }
      all.append(JointResult(results: [result], place: place))
    }
  }
}

extension LimitResult {
  /// What results have in common that are stated together.
  fileprivate struct SharedExplanation: Hashable {
    let subject: String
    let explanation: Substring
  }

  fileprivate var sharedExplanation: SharedExplanation? {
    status == .notEvaluated
      ? SharedExplanation(subject: subject, explanation: explanation) : nil
  }

  /// The reason without the metric's label.
  fileprivate var explanation: Substring {
    let start = label + ": "
    return reason.hasPrefix(start) ? reason.dropFirst(start.count) : reason[...]
  }
}
