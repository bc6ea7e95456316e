import ScrollTraceModel

/// The result of a limit, or those of several that were not evaluated for the same reason.
package struct JointResult {
  /// The results, of which there is at least one.
  package private(set) var results: [LimitResult]
  /// The index of the first result among all.
  package let index: Int

  /// The labels of the metrics, each once.
  package var labels: String {
    results.map(\.label).distinct.joined(separator: ", ")
  }

  /// The subjects, each once; empty for the primary surface alone.
  package var subjects: String {
    let names = results.map(\.subject).distinct
    return names == [""]
      ? "" : names.map { $0.isEmpty ? "primary surface" : $0 }.listed(maximum: Self.maximumSubjects)
  }
  private static let maximumSubjects = 8

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

  /// Returns `results` in their order, those of one subject with one reason at the index of the first.
  ///
  /// - Parameter joinsSubjects: Whether results of different subjects are joined too.
  package static func all(
    _ results: [LimitResult], joinsSubjects: Bool = false
  ) -> [JointResult] {
    var indexes: [LimitResult.SharedExplanation: Int] = [:]
    return results.enumerated().reduce(into: []) { all, element in
      let (index, result) = element
      if let key = result.sharedExplanation(ofAllSubjects: joinsSubjects) {
        if let known = indexes[key] { return all[known].results.append(result) }
        indexes[key] = all.count
      }
      all.append(JointResult(results: [result], index: index))
    }
  }
}

extension LimitResult {
  /// What results have in common that are stated together.
  fileprivate struct SharedExplanation: Hashable {
    let subject: String
    let level: Level
    let explanation: Substring
  }

  fileprivate func sharedExplanation(ofAllSubjects: Bool) -> SharedExplanation? {
    status == .notEvaluated
      ? SharedExplanation(
        subject: ofAllSubjects ? "" : subject, level: level, explanation: explanation) : nil
  }

  /// The reason without the metric's label.
  fileprivate var explanation: Substring {
    let start = label + ": "
    return reason.hasPrefix(start) ? reason.dropFirst(start.count) : reason[...]
  }
}
