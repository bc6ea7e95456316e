import Foundation
import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// Damage never lets a recording pass that would fail.
///
/// A few damages of each kind by default; `SCROLLTRACE_RANDOM_TRACES` says how many of all.
@Suite struct DamagedGateTests {
  /// What can happen to a file between the device and the gate.
  enum Damage: CaseIterable {
    case cut, cutAtChunk, lostChunk, swappedChunks, repeatedChunk, zeroedPage, zeroedEnd
    case flippedBit, flippedBitInRecord, changedWord, filledPage, foreignPage

    /// Applies the damage to `bytes`, at places that are not pads where there is a choice.
    func apply(to bytes: inout [UInt8], _ generator: inout SeededGenerator) {
      let (page, chunk) = (RecordingLayout.pageSize, RecordingLayout.chunkSize)
      let chunkCount = (bytes.count - page) / chunk
      func place(_ index: Int) -> Range<Int> { page + index * chunk..<page + (index + 1) * chunk }
      let first = Int.random(in: 0..<max(1, chunkCount), using: &generator)
      let second = Int.random(in: 0..<max(1, chunkCount), using: &generator)
      let somewhere = Int.random(in: 0..<bytes.count, using: &generator)
      let used = Self.usedByte(of: bytes, &generator)
      let thisPage = used / page * page..<min(bytes.count, used / page * page + page)
      switch self {
      case .cut: bytes.removeSubrange(somewhere...)
      case .cutAtChunk: bytes.removeSubrange(place(first).lowerBound...)
      case .lostChunk: bytes.removeSubrange(place(first))
      case .swappedChunks:
        let (left, right) = (Array(bytes[place(first)]), Array(bytes[place(second)]))
        bytes.replaceSubrange(place(first), with: right)
        bytes.replaceSubrange(place(second), with: left)
      case .repeatedChunk: bytes.replaceSubrange(place(first), with: Array(bytes[place(second)]))
      case .zeroedPage: for index in thisPage { bytes[index] = 0 }
      case .zeroedEnd: for index in somewhere..<bytes.count { bytes[index] = 0 }
      case .flippedBit: bytes[somewhere] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case .flippedBitInRecord: bytes[used] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case .changedWord:
        for index in used & ~7..<min(bytes.count, used & ~7 + 8) {
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
      case .filledPage: for index in thisPage { bytes[index] = 0xFF }
      case .foreignPage:
        let other = Self.usedByte(of: bytes, &generator) / page * page
        guard other + page <= bytes.count, thisPage.count == page else { return }
        bytes.replaceSubrange(thisPage, with: Array(bytes[other..<other + page]))
      }
    }

    private static func usedByte(of bytes: [UInt8], _ generator: inout SeededGenerator) -> Int {
      for _ in 0..<200 {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        if bytes[place] != 0 { return place }
      }
      return 0
    }
  }

  /// The samples with hitches.
  static let failing = [
    "feed-commit-hitches", "rate-change", "stall-without-frames", "panel-1-on-demand",
    "snapshot-reload", "registration-per-cell", "item-reload", "killed-mid-scroll",
  ]
  /// What a budget limits. The limit is so close that a single hitch less would pass.
  static let metrics = [
    "hitchTimeRatioMsPerS", "hitches", "longestHitchNs", "hitchTimeNs", "hitchesInMotion",
  ]

  /// The exit status of checks of one file.
  private struct Gate {
    let console: CapturedConsole
    var path: String { console.folder + "/run.fxt" }

    func status(of bytes: [UInt8], _ metric: String, limit: Double) throws -> Int32 {
      _ = try console.file("run.fxt", bytes)
      let budget = #"{"limits": {"\#(metric)": \#(limit)}}"#
      return console.run("check", path, "--budget", budget).rawValue
    }

    /// The value of a metric of the file that was written last.
    func value(_ metric: String) throws -> Double {
      let budget = #"{"limits": {"\#(metric)": 0}}"#
      _ = console.run("check", path, "--budget", budget, "--format", "json")
      return try #require(console.json()["verdict"]["results"][0]["value"].number)
    }
  }

  @Test func `no damage makes a failing recording pass`() async {
    let count = max(
      1, ExtraCases.randomTraces(ExtraCases.isThorough ? 48 : 16) / Self.failing.count)
    await forEachCase(of: ExtraCases.some(2, of: Self.failing), oneCase)
    @Sendable func oneCase(name: String) throws {
      let gate = Gate(console: CapturedConsole())
      let whole = try PackageFiles.bytes(of: "\(name).fxt")
      // A short run tries each kind with some of the samples.
      let shift = (Self.failing.firstIndex(of: name) ?? 0) * count
      for metric in Self.metrics.dropFirst(shift % 2) {
        _ = try gate.console.file("run.fxt", whole)
        let limit = try gate.value(metric) * 0.999
        let wholeStatus = try gate.status(of: whole, metric, limit: limit)
        try #require(wholeStatus == 1)
        for seed in 0..<UInt64(max(1, count / Self.metrics.count)) {
          var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(metric.utf8.count + shift))
          let kind = generator.next() % UInt64(Damage.allCases.count)
          let damage = Damage.allCases[Int(kind)]
          var bytes = whole
          damage.apply(to: &bytes, &generator)
          guard bytes != whole else { continue }
          let status = try gate.status(of: bytes, metric, limit: limit)
          #expect(status != 0, "\(metric), \(damage), seed \(seed): \(gate.console.output)")
        }
      }
    }
  }
}
