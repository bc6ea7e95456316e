import ScrollTraceModel

/// The labels of waits in a trace. Their spans occupy their track but are not work (M-11).
struct WaitingLabels {
  private let isWaiting: [Bool]
  /// A Boolean value indicating whether there are none.
  let isEmpty: Bool

  /// Finds the labels of waits in `trace`.
  init(of trace: Trace) {
    let known = trace.labels.labels.map { label in
      Self.isWaiting(category: label.category, name: label.name, in: trace)
    }
    isWaiting = known
    isEmpty = !known.contains(true)
  }

  /// No labels.
  static var none: WaitingLabels { WaitingLabels() }

  private init() { (isWaiting, isEmpty) = ([], true) }

  /// A Boolean value indicating whether spans of `label` are waits.
  subscript(label: LabelID) -> Bool {
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
