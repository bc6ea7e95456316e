import ScrollTraceImport
import ScrollTraceKit

/// Lines of summaries.
enum FuzzSummaries {
  private static let maximumLines = 64

  /// Reads the input as lines, adds them up in several orders and groups, and reads the sums again.
  static func run(_ input: [UInt8]) {
    let summaries = read(input)
    let sum = summaries.reduce(.zero, +)
    let lines = sum.lines.map { Array($0.utf8) }
    let middle = summaries.count / 2
    let halves = summaries[middle...].reduce(.zero, +) + summaries[..<middle].reduce(.zero, +)
    for other in [summaries.reversed().reduce(.zero, +), halves] {
      precondition(other.lines.map { Array($0.utf8) } == lines, "the order of lines matters")
    }
    var again = TraceSummary.zero
    for line in lines {
      do {
        again += try TraceSummary(line: String(decoding: line, as: UTF8.self))
      } catch {
        preconditionFailure("what was written is no line: \(error)")
      }
    }
    precondition(again.lines.map { Array($0.utf8) } == lines, "a line changes when it is read")
    guard !sum.rows.isEmpty else { return }
    _ = sum.mapKeys { _ in SummaryKey() }.lines
    let report = Report(sum, thresholds: .scroll)
    let length =
      TextRenderer().render(report).utf8.count + HTMLRenderer().render(report).utf8.count
    precondition(length < 16 << 20, "a report of \(length) bytes from \(input.count) bytes")
  }

  private static func read(_ input: [UInt8]) -> [TraceSummary] {
    var reader = DelimitedReader(MemoryByteSource(input), limit: 1 << 15)
    var summaries: [TraceSummary] = []
    while summaries.count < maximumLines, let part = try? reader.next() {
      guard case .bytes(let bytes) = part else { continue }
      if let summary = try? TraceSummary(line: bytes) { summaries.append(summary) }
    }
    return summaries
  }
}
