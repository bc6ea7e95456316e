import Foundation
import ScrollTraceAnalysis
import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import Testing

/// The formats of stacks for tools that show flame graphs.
@Suite struct StackExporterTests {
  typealias Object = [String: Any]

  /// Two spans, an inner function with a hostile name, and time without a sample.
  static func profile() -> StackProfile {
    var profile = StackProfile(thread: "main", title: "hitches")
    let span = profile.path(StackProfile.Frame(name: "phase/draw", isSpan: true), calledBy: -1)
    let row = profile.path(
      StackProfile.Frame(name: "Row;\"bind\"\n", module: "libapp.so"), calledBy: span)
    let none = profile.path(StackProfile.Frame(name: "(not sampled)"), calledBy: span)
    let start = Timestamp(clamping: 1_000_000)
    profile.add(row, from: start, lasting: .milliseconds(2))
    profile.add(row, from: start + .milliseconds(2), lasting: .milliseconds(1))
    profile.add(none, from: start + .milliseconds(3), lasting: .milliseconds(4))
    profile.add(row, from: start + .milliseconds(50), lasting: .milliseconds(5))
    return profile
  }

  static func text(_ type: StackFormat, _ profile: StackProfile) -> String {
    String(decoding: written { type.write(profile, to: &$0) }, as: UTF8.self)
  }

  @Test func `folded stacks have a line each, with the time of all of their segments`() {
    #expect(
      Self.text(.folded, Self.profile())
        == "phase/draw;(not sampled) 4000000\nphase/draw;Row:\"bind\"  8000000\n")
  }

  @Test
  func `speedscope's samples name frames that exist, and weigh as much as the profile`() throws {
    let text = Self.text(.speedscope, Self.profile())
    let file = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
    let frames = try #require((file["shared"] as? Object)?["frames"] as? [Object])
    let profile = try #require((file["profiles"] as? [Object])?.first)
    let samples = try #require(profile["samples"] as? [[Int]])
    let weights = try #require(profile["weights"] as? [Int])
    #expect(samples.count == weights.count && samples.count == 3)
    #expect(
      weights.reduce(0, +) == profile["endValue"] as? Int
        && weights == [3_000_000, 4_000_000, 5_000_000])
    #expect(samples.joined().allSatisfy(frames.indices.contains))
    #expect(
      frames.map { $0["name"] as? String } == ["phase/draw", "Row;\"bind\"\n", "(not sampled)"])
    #expect(samples[0].count == 2)
  }

  @Test func `the Firefox Profiler's tables refer to rows that exist`() throws {
    let text = Self.text(.firefox, Self.profile())
    let file = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
    let thread = try #require((file["threads"] as? [Object])?.first)
    func table(_ name: String) throws -> Object { try #require(thread[name] as? Object) }
    func numbers(_ name: String, _ column: String) throws -> [Int?] {
      try #require(try table(name)[column] as? [Any]).map { $0 as? Int }
    }
    for name in [
      "samples", "stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols",
    ] {
      let rows = try table(name)
      let length = try #require(rows["length"] as? Int)
      for (column, values) in rows where column != "length" && column != "weightType" {
        #expect((values as? [Any])?.count == length, "\(name).\(column)")
      }
    }
    let strings = try #require(thread["stringArray"] as? [String])
    let stacks = try numbers("samples", "stack")
    #expect(stacks == [1, 2, 1])
    #expect(try numbers("stackTable", "prefix") == [nil, 0, 0])
    #expect(try numbers("funcTable", "name").compactMap { $0 }.allSatisfy(strings.indices.contains))
    #expect(
      try numbers("funcTable", "fileName") == [nil, strings.firstIndex(of: "libapp.so"), nil])
    #expect(try table("samples")["weight"] as? [Double] == [3, 4, 5])
    #expect(try table("samples")["time"] as? [Double] == [0, 3, 50])
  }

  @Test
  func `stacks of hitches add up to the windows of the hitches, with and without samples`() throws {
    for name in ["feed-commit-hitches.fxt", "Foreign/chrome-scroll.json"] {
      let run = TraceAnalyzer().analyze(try SampleFiles.trace(name))
      let profile = try #require(run.stackProfile(onlyHitches: true))
      let windows = run.surfaces.flatMap(\.hitches).filter { $0.lengthInMotion > .zero }
        .compactMap { $0.chargedAttribution?.window }
      #expect(profile.length == TimeRangeSet(union: windows).length && !windows.isEmpty, "\(name)")
      #expect(!Self.text(.folded, profile).isEmpty)
    }
  }
}
