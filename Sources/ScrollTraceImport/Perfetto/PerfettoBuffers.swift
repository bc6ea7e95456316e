import ScrollTraceModel

/// What the recorder tells of its buffers: how much did not find room in them.
///
/// Each packet counts from the begin of the recording, so the last one holds.
struct PerfettoBuffers {
  private var lost: UInt64 = 0
  private var overwritten: UInt64 = 0

  /// Takes a packet of statistics; `false` where it is damaged.
  mutating func read(_ statistics: UnsafeRawBufferPointer) -> Bool {
    var (lost, overwritten) = (UInt64(0), UInt64(0))
    func sum(_ first: UInt64, _ second: UInt64) -> UInt64 {
      let (sum, overflow) = first.addingReportingOverflow(second)
      return overflow ? .max : sum
    }
    var fields = WireFields(statistics)
    while fields.next() {
      guard fields.number == 1, fields.isBytes else { continue }
      var inner = WireFields(fields.bytes)
      while inner.next() {
        switch (inner.number, inner.isBytes) {
        case (3, false): overwritten = sum(overwritten, inner.value)
        case (6, false), (18, false), (19, false): lost = sum(lost, inner.value)
        default: break
        }
      }
      guard !inner.isDamaged else { return false }
    }
    guard !fields.isDamaged else { return false }
    (self.lost, self.overwritten) = (lost, overwritten)
    return true
  }

  /// Counts what was lost, and says how much was overwritten.
  func note(in builder: inout TraceBuilder) {
    builder.countLoss(.sourceDroppedRecords, count: lost)
    guard overwritten > 0 else { return }
    builder.addNotice(
      .source(
        "the recorder's buffers were full; parts that newer ones took the place of:"
          + " \(overwritten)"))
  }
}
