package import ScrollTraceModel

/// Which labels of a trace name waits: spans of them occupy their track and are no work (M-11).
package struct WaitingLabels: Sendable {
  private let isWaiting: [Bool]
  package let isEmpty: Bool

  package init(of trace: Trace) {
    self.init(
      trace.labels.labels.map { label in
        Self.isWaiting(category: label.category, name: label.name, in: trace)
      })
  }

  package static var none: WaitingLabels { WaitingLabels([]) }

  private init(_ isWaiting: [Bool]) {
    self.isWaiting = isWaiting
    isEmpty = !isWaiting.contains(true)
  }

  /// The labels of these for which `isIncluded` is true.
  func filter(_ isIncluded: (LabelID) -> Bool) -> WaitingLabels {
    WaitingLabels(
      isWaiting.enumerated().map { index, isWaiting in
        isWaiting && isIncluded(LabelID(rawValue: UInt32(truncatingIfNeeded: index)))
      })
  }

  package subscript(label: LabelID) -> Bool {
    !isEmpty && Int(label.rawValue) < isWaiting.count && isWaiting[Int(label.rawValue)]
  }

  private static func isWaiting(category: StringID, name: StringID, in trace: Trace) -> Bool {
    let strings = trace.strings
    if strings.matches(category, WaitingNames.category) { return true }
    if strings.matches(category, "scrolltrace.image") { return strings.matches(name, "download") }
    // Other words of the vocabulary, and hosts' own spans with that prefix, are work.
    return WaitingNames.contains(strings[name])
  }
}
