import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// Small traces of which every figure was worked out independently of this project.
@Suite(.needsExtraCases) struct TruthCaseTests {
  /// The words of the expectations for ratings.
  private static let ratings = ["inDoubt": "uncertain", "noData": "notMeasurable"]
  private static let counts = [
    "hitches": "hitchesInMotion", "misses": "deadlineMissesInMotion",
    "stuffed": "lateWithoutHitchInMotion",
  ]

  /// The options of a case, by their names here.
  private static func flags(of expected: JSONNode) -> [String] {
    (expected["flags"].value as? [String] ?? []).map { $0 == "--interaction" ? "--define" : $0 }
  }

  @Test func `every case has the independently computed values`() throws {
    let folder = try #require(ExtraCases.folder) + "/truth/"
    guard let data = FileManager.default.contents(atPath: folder + "expected.json") else { return }
    let all = JSONNode(value: try JSONSerialization.jsonObject(with: data))
    let cases = try #require(all["cases"].value as? [String: Any])
    for name in cases.keys.sorted() {
      let expected = all["cases"][name]
      let isFolder = !name.contains(".")
      let paths =
        isFolder
        ? try FileManager.default.contentsOfDirectory(atPath: folder + name).sorted()
          .map { folder + name + "/" + $0 } : [folder + name]
      if !isFolder { try check(paths[0], expected, name) }
      for (flags, status) in expected["check"].value as? [String: Int] ?? [:] {
        let options = Self.flags(of: expected)
        let found = CommandRun(
          ["check"] + options + flags.split(separator: " ").map(String.init) + paths)
        #expect(Int(found.status.rawValue) == status, "\(name): check \(flags)")
        for named in expected["checkNames"].value as? [String] ?? [] {
          #expect(found.text.contains(named), "\(name) does not name \(named)")
        }
      }
    }
  }

  private func check(_ path: String, _ expected: JSONNode, _ name: String) throws {
    let flags = Self.flags(of: expected)
    let run = try AnalyzeRun(flags + [path])
    let surface = try surface(of: run, named: expected["figures"]["surface"].string)
    if let status = expected["analyzeExit"].integer {
      #expect(Int(run.status.rawValue) == status, "\(name)")
    }
    let slack = try #require(expected["slackNs"].integer)
    let figures = expected["figures"]
    let work = run.run["work"]
    let times = [
      "inside": surface["hitchTimeNs"], "headroom": surface["headroomNs"],
      "mainBusy": work["mainRunningNs"], "mainWait": work["mainWaitingNs"],
      "backBusy": work["backgroundRunningNs"],
    ]
    for (key, found) in times {
      guard let want = figures[key].integer else { continue }
      let value = try #require(found.integer, "\(name): \(key)")
      #expect(abs(value - want) <= slack, "\(name): \(key)")
    }
    for (key, found) in Self.counts {
      guard let want = figures[key].integer else { continue }
      #expect(surface[found].integer == want, "\(name): \(key)")
    }
    if let basis = figures["basis"].string { #expect(surface["basis"].string == basis) }
    if let verdict = figures["verdict"].string {
      #expect(
        surface["rating"].string == Self.ratings[verdict] ?? verdict, "\(name): verdict")
    }
    if let other = figures["verdictNot"].string {
      #expect(surface["rating"].string != other, "\(name): verdict")
    }
    let lists = run.run["lists"]
    let leastTimes = [
      "placeholderAtLeast": lists[0]["images"]["placeholderNs"]["max"],
      "blankAtLeast": lists[0]["blank"]["timeNs"],
    ]
    for (key, found) in leastTimes {
      guard let want = figures[key].integer else { continue }
      #expect(try #require(found.integer, "\(name): \(key)") >= want, "\(name): \(key)")
    }
    for (key, want) in figures["ledger"].value as? [String: Double] ?? [:] {
      let found = try refreshes(key, surface, name)
      #expect(abs(found - want) <= 1.01, "\(name): \(key)")
    }
    if let most = figures["unknownAtMost"].number {
      #expect(try refreshes("unknown", surface, name) <= most, "\(name): unknown")
    }
    if let least = figures["unknownAtLeast"].number {
      #expect(try refreshes("unknown", surface, name) >= least, "\(name): unknown")
    }
    guard let charged = expected["charged"]["name"].string,
      let most = expected["charged"]["atMostNs"].integer
    else { return }
    for hitch in surface["hitches"].array {
      for cause in hitch["causes"].array where cause["name"].string == charged {
        #expect(cause["selfNs"].integer ?? 0 <= most, "\(name): \(charged)")
      }
    }
  }

  /// The surface with a name, or the first one.
  private func surface(of run: AnalyzeRun, named name: String?) throws -> JSONNode {
    guard let name else { return run.surface }
    let surface = run.run["surfaces"].array.first { $0["name"].string == name }
    return try #require(surface, "no surface \(name)")
  }

  /// A part of the ledger in refreshes.
  private func refreshes(_ part: String, _ surface: JSONNode, _ name: String) throws -> Double {
    let time = try #require(surface["ledgerNs"][part].number, "\(name): \(part)")
    let interval = surface["refreshIntervals"][0]["refreshIntervalNs"].number
    return time / (try #require(interval, "\(name): no refresh interval"))
  }
}
