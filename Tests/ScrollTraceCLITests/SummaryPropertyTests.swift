@testable import ScrollTraceCLI
import Foundation
import ScrollTraceLayout
import ScrollTraceSummary
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

/// Sums of summaries do not depend on the order or the grouping of traces.
struct SummaryPropertyTests {
  /// A summary of one trace with random content, some of it unknown.
  private static func summary(using random: inout SeededGenerator) -> TraceSummary {
    var attributes = SummaryAttributes()
    if Bool.random(using: &random) {
      _ = attributes.set("build", to: "\(Int.random(in: 1...3, using: &random))")
    }
    let key = SummaryKey(
      surface: ["display", "list \"a\"", nil].randomElement(using: &random) ?? nil,
      basis: "target",
      refreshInterval: [8_333_333, 16_666_667, nil].randomElement(using: &random) ?? nil,
      attributes: attributes)
    var identity = SummaryIdentity()
    identity.session = "\(UInt64.random(in: 0...UInt64.max, using: &random))"
    var row = SummaryRow(
      identity: identity, weight: Int64.random(in: 1...100, using: &random))
    row[.lossy] = WideInteger(Int.random(in: 0...1, using: &random))
    for name in ["all", "interaction:drag", "state:screen=a=b", "state:a%3Db=c\u{1}"]
    where Bool.random(using: &random) {
      var scope = SummaryScope()
      for field in SummaryField.allCases where Bool.random(using: &random) {
        let isLedger = SummaryField.ledger.contains(field)
        guard !isLedger else { continue }
        scope[field] = SummaryValue(Int64.random(in: 0...Int64.max, using: &random))
      }
      if Bool.random(using: &random) {
        for field in SummaryField.ledger {
          scope[field] = SummaryValue(Int.random(in: 0...500, using: &random))
        }
      }
      for histogram in SummaryHistogramName.allCases {
        for _ in 0..<Int.random(in: 0...20, using: &random) {
          scope[histogram].count(
            Int64.random(in: 0...Int64.max, using: &random)
              >> Int64.random(in: 0...62, using: &random))
        }
      }
      scope.longestHitchSession = Bool.random(using: &random) ? identity.session : nil
      scope.becomeOneTrace(weight: Int64.random(in: 1...3, using: &random))
      row.scopes[name] = scope
    }
    for name in ["decode", "lay\nout"] where Bool.random(using: &random) {
      let function = Bool.random(using: &random) ? "Feed.configure" : nil
      row.causes[SummaryCause(category: "image", name: name, function: function)] =
        SummaryCauseSums(
          hitchTime: WideInteger(Int.random(in: 0...1_000_000, using: &random)), hitches: 2)
    }
    return TraceSummary(key, row)
  }

  /// The sum of `summaries`, added in random pairs.
  private static func sumOfPairs(
    _ summaries: [TraceSummary], using random: inout SeededGenerator
  ) -> TraceSummary {
    var rest = summaries
    while rest.count > 1 {
      let left = rest.remove(at: Int.random(in: 0..<rest.count, using: &random))
      let index = Int.random(in: 0..<rest.count, using: &random)
      rest[index] = Bool.random(using: &random) ? left + rest[index] : rest[index] + left
    }
    return rest.first ?? .zero
  }

  @Test func `any order and any grouping gives the same bytes`() async {
    await forEachCase(of: ExtraCases.some(8, of: 0..<400 as Range<UInt64>), oneCase)
    @Sendable func oneCase(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let summaries = (0..<Int.random(in: 2...24, using: &random)).map { _ in
        Self.summary(using: &random)
      }
      let straight = summaries.reduce(.zero, +)
      for _ in 0..<4 {
        let other = Self.sumOfPairs(summaries.shuffled(using: &random), using: &random)
        #expect(other.lines == straight.lines)
      }
      #expect(straight + .zero == straight)
      #expect(TraceSummary.zero + straight == straight)
    }
  }

  @Test func `a line that is read back gives the same line`() async {
    await forEachCase(of: ExtraCases.some(8, of: 0..<400 as Range<UInt64>), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let sum = (0..<3).map { _ in Self.summary(using: &random) }.reduce(.zero, +)
      let again = try sum.lines.map { try TraceSummary(line: $0) }.reduce(.zero, +)
      #expect(again == sum)
      #expect(again.lines == sum.lines)
    }
  }

  @Test func `a line is the same read at once and member by member, also with wrong bytes`() async {
    await forEachCase(of: ExtraCases.some(8, of: 0..<400 as Range<UInt64>), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      for line in (0..<3).map({ _ in Self.summary(using: &random) }).flatMap(\.lines) {
        let bytes = Array(line.utf8)
        #expect(try TraceSummary(line: bytes) == TraceSummary(anyLine: bytes))
        for _ in 0..<(ExtraCases.isThorough ? 200 : 20) {
          var wrong = bytes
          let place = Int.random(in: wrong.indices, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: wrong[place] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &random)
          case 1: wrong[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
          default: wrong.remove(at: place)
          }
          #expect((try? TraceSummary(line: wrong)) == (try? TraceSummary(anyLine: wrong)))
        }
      }
    }
  }

  @Test func `names with the same characters are one name, with the same bytes in any order`() {
    // An e with an accent as one scalar, and as two.
    func summary(_ letter: String) -> TraceSummary {
      var attributes = SummaryAttributes()
      _ = attributes.set("caf\(letter)", to: letter)
      let key = SummaryKey(surface: "list \(letter)", basis: "target", attributes: attributes)
      var row = SummaryRow()
      row.scopes["state:screen=\(letter)"] = SummaryScope()
      row.causes[SummaryCause(category: letter, name: letter)] = SummaryCauseSums(
        hitchTime: 1, hitches: 1)
      return TraceSummary(key, row)
    }
    let (composed, decomposed) = (summary("\u{E9}"), summary("e\u{301}"))
    let sum = (composed + decomposed).lines
    #expect(sum.count == 1)
    #expect(sum.map { Array($0.utf8) } == (decomposed + composed).lines.map { Array($0.utf8) })
    let three = (composed + (decomposed + composed)).lines.map { Array($0.utf8) }
    #expect(three == (composed + composed + decomposed).lines.map { Array($0.utf8) })
  }

  @Test func `sums stop at the largest number in any order`() {
    var row = SummaryRow()
    row[.weight] = .maximumInSummary - 1
    let large = TraceSummary(SummaryKey(), row)
    let small = TraceSummary(SummaryKey(), SummaryRow(weight: 7))
    let sum = large + small + large
    #expect(sum == small + (large + large))
    #expect(sum.rows[SummaryKey()]?[.weight] == .maximumInSummary)
  }

  @Test func `buckets follow the published rule`() {
    for (value, bucket) in [
      (0, 0), (15, 15), (16, 16), (17, 16), (31, 23), (32, 24), (33_333_333, 183),
      (Int64.max, 487), (-5, 0),
    ] as [(Int64, Int)] {
      #expect(LogLinearHistogram.bucket(of: value) == bucket)
    }
    for bucket in 0..<LogLinearHistogram.bucketCount {
      let bound = LogLinearHistogram.lowerBound(of: bucket)
      #expect(LogLinearHistogram.bucket(of: bound) == bucket)
      #expect(bucket == 0 || LogLinearHistogram.bucket(of: bound - 1) == bucket - 1)
    }
  }

  @Test func `percentiles differ by at most a sixteenth from the exact ones`() {
    var random = SeededGenerator(seed: 7)
    let values = (0..<5000).map { _ in Int64.random(in: 100_000...50_000_000, using: &random) }
    var histogram = LogLinearHistogram()
    for value in values { histogram.count(value) }
    let sorted = values.sorted()
    for perMille in [500, 900, 950, 990, 999] {
      let exact = Double(sorted[(sorted.count * perMille + 999) / 1000 - 1])
      let estimate = Double(histogram.percentile(WideInteger(perMille)) ?? 0)
      #expect(abs(estimate - exact) / exact <= 1.0 / 16)
    }
  }
}
