package import ScrollTraceModel

/// Which labels of a trace name waits: spans of them occupy their track and are no work (M-11).
package struct WaitingLabels: Sendable {
  private let isWaiting: [Bool]
  package let isEmpty: Bool

  package init(of trace: Trace) {
    let known = trace.labels.labels.map { label in
      Self.isWaiting(category: label.category, name: label.name, in: trace)
    }
    isWaiting = known
    isEmpty = !known.contains(true)
  }

  package static var none: WaitingLabels { WaitingLabels() }

  private init() { (isWaiting, isEmpty) = ([], true) }

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
