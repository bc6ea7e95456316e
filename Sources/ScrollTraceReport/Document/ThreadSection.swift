import ScrollTraceAnalysis
import ScrollTraceModel

/// Whether the main thread ran while frames were late, by the system's own count (M-25).
struct ThreadSection {
  let messages: RunMessages

  /// What the main thread did in the windows of the hitches; `nil` if nothing is known.
  var block: Document.Bars? {
    guard let times = messages.surface?.threadInHitches else { return nil }
    let whole = Double(max(1, times.length.nanoseconds))
    let rows: [(label: String, time: TimeSpan, isLate: Bool, count: Int64?)] = [
      ("on a core", times.ran, false, nil),
      ("ready, waiting for a core", times.ready ?? .zero, true, times.preemptions),
      ("blocked", times.blocked ?? .zero, true, times.waits),
      ("off a core, ready or blocked", times.notRunning, true, nil),
      ("unknown", times.unknown, false, nil),
    ]
    return Document.Bars(
      title: "Did it run?  \(Quantity.length(times.length)) of late frames, the system's own count",
      rows: rows.filter { $0.time > .zero }.map { row in
        let share = Quantity.share(Double(row.time.nanoseconds) / whole)
        let number = row.count.flatMap { $0 > 0 ? Int(clamping: $0) : nil }
        let count = number.map { Quantity.count($0, "time") } ?? ""
        return Document.Bars.Row(
          label: row.label, count: Int(clamping: row.time.nanoseconds), isLate: row.isLate,
          value: "\(Quantity.length(row.time)) \(share)",
          remark: count.isEmpty || !times.areCountsPartial ? count : "at least \(count)")
      })
  }
}
