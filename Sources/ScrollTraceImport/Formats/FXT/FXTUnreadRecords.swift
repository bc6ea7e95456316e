internal import ScrollTraceModel

/// The records of kinds that are not read, which are no loss: their writer means them for others.
struct FXTUnreadRecords {
  private var counts: [String: Int] = [:]

  mutating func count(_ kind: String) { counts[kind, default: 0] += 1 }

  /// Says once for all what was passed over.
  func report(in builder: inout TraceBuilder) {
    guard !counts.isEmpty else { return }
    let list = counts.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    builder.addNotice(
      "records of kinds that are not read: \(list.joined(separator: ", "))")
  }
}
