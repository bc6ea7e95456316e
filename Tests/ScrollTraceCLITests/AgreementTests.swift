@testable import ScrollTraceCLI
import Foundation
import ScrollTraceTestSupport
import Testing

/// The numbers that `analyze`, `check`, `inspect` and `summarize` share are the same in all of them, for
/// every sample and for every case that is at hand; those of `watch` are tested with it.
@Suite struct AgreementTests {
  /// A trace and the flags for it.
  struct Input: Sendable, CustomTestStringConvertible {
    let path: String
    let flags: [String]

    var testDescription: String { ([path] + flags).joined(separator: " ") }
  }

  private static let inputs: [Input] = {
    let folder = PackageFiles.url("SampleTraces").path
    let manager = FileManager.default
    let samples = [folder, folder + "/Foreign"].flatMap { folder in
      ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { "\(folder)/\($0)" }
    }
    let traces = samples.filter { path in
      var isFolder: ObjCBool = false
      return manager.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        && !path.hasSuffix(".md") && !path.hasSuffix(".svg")
    }
    return (traces.map { Input(path: $0, flags: []) } + cases).flatMap { input in
      input.flags.isEmpty
        ? [input, Input(path: input.path, flags: ["--always-moving"])] : [input]
    }
  }()

  /// The cases with figures of their own, if they are at hand.
  private static let cases: [Input] = {
    guard let folder = ExtraCases.folder.map({ $0 + "/truth" }),
      let text = try? String(contentsOfFile: folder + "/expected.json", encoding: .utf8),
      let all = try? JSONNode(text), let cases = all["cases"].value as? [String: Any]
    else { return [] }
    return cases.keys.sorted().compactMap { name in
      let value = all["cases"][name]
      guard value["figures"].value != nil else { return nil }
      return Input(path: "\(folder)/\(name)", flags: value["flags"].value as? [String] ?? [])
    }
  }()

  @Test func `commands agree on every number they share`() async {
    await forEachCase(of: ExtraCases.some(4, of: Self.inputs), oneCase)
    @Sendable func oneCase(input: Input) throws {
      let console = CapturedConsole()
      func json(_ arguments: [String]) throws -> JSONNode {
        _ = console.run(arguments)
        return try console.json()
      }
      let forms = ["--format", "json", "--allow-loss", input.path] + input.flags
      // A file that is no trace.
      guard let run = try? json(["analyze"] + forms)["runs"][0] else { return }
      let other = try json(["check", "--max-ratio", "1000000"] + forms)["runs"][0]
      for key in ["durationNs", "primarySurface", "input", "surfaces", "work", "lists"] {
        #expect(Self.areEqual(run[key], other[key]), "check: \(key)")
      }

      let inspected = try json(["inspect", "--format", "json", input.path])
      #expect(Self.areEqual(inspected["durationNs"], run["durationNs"]), "inspect")
      #expect(Self.areEqual(inspected["losses"], run["input"]["losses"]), "inspect")
      let frames = run["surfaces"].array.reduce(0) { sum, surface in
        let counts = surface["frames"]
        return sum + (counts["total"].integer ?? 0) + (counts["notRequested"].integer ?? 0)
      }
      #expect(inspected["content"]["frames"].integer == frames, "inspect")

      try checkSummary(of: input, run, console)
    }
  }

  private func checkSummary(
    of input: Input, _ run: JSONNode, _ console: CapturedConsole
  ) throws {
    let surfaces = run["surfaces"].array
    _ = console.run(["summarize", "--allow-loss", input.path] + input.flags)
    var found = 0
    for line in console.output.split(separator: "\n") {
      let summary = try JSONNode(line)
      guard let surface = surfaces.first(where: { Self.areEqual($0["name"], summary["surface"]) }),
        let scope = summary["scopes"].array.first(where: { $0["scope"].string == "all" })
      else { continue }
      found += 1
      #expect(Self.areEqual(summary["basis"], surface["basis"]))
      for (key, name) in [
        ("hitchTimeNs", "hitchTimeNs"), ("hitches", "hitchesInMotion"),
        ("longestHitchNs", "longestHitchInMotionNs"), ("ledgerNs", "ledgerNs"),
        ("deadlineMisses", "deadlineMissesInMotion"),
      ] {
        #expect(Self.areEqual(scope[key], surface[name]), "summarize: \(key)")
      }
      // Time in which nothing could be measured is none to divide by.
      if !surface["hitchTimeNs"].isNull {
        let time = surface["measuredTime"]["durationNs"]
        #expect(Self.areEqual(scope["motionNs"], time), "summarize: motionNs")
      }
      guard Self.areEqual(summary["surface"], run["primarySurface"]) else { continue }
      for key in ["mainRunningNs", "backgroundRunningNs"] {
        #expect(Self.areEqual(scope[key], run["work"][key]), "summarize: \(key)")
      }
    }
    // What a trace that lost data says is not added up.
    let isWhole = run["input"]["losses"].count == 0
    #expect(found == surfaces.count || !isWhole, "summarize")
  }

  private static func areEqual(_ left: JSONNode, _ right: JSONNode) -> Bool {
    guard let left = left.value as? NSObject, let right = right.value as? NSObject else {
      return false
    }
    return left.isEqual(right)
  }
}
