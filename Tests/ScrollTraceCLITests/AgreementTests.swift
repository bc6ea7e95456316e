import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// The numbers that `analyze`, `check`, `inspect` and `summarize` share are the same in all of them, for
/// every sample and for every case that is at hand; those of `watch` are tested with it.
@Suite struct AgreementTests {
  private typealias Object = [String: Any]

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
      let data = FileManager.default.contents(atPath: folder + "/expected.json"),
      let file = try? JSONSerialization.jsonObject(with: data) as? Object,
      let cases = file["cases"] as? [String: Object]
    else { return [] }
    return cases.sorted { $0.key < $1.key }.compactMap { name, value in
      guard value["figures"] != nil else { return nil }
      return Input(path: "\(folder)/\(name)", flags: value["flags"] as? [String] ?? [])
    }
  }()

  @Test func `commands agree on every number they share`() async {
    await forEachCase(of: ExtraCases.some(6, of: Self.inputs), oneCase)
    @Sendable func oneCase(input: Input) throws {
      let console = try CapturedConsole()
      func json(_ arguments: [String]) throws -> Object? {
        _ = console.run(arguments)
        return try? JSONSerialization.jsonObject(with: Data(console.output.utf8)) as? Object
      }
      let forms = ["--format", "json", "--allow-loss", input.path] + input.flags
      // A file that is no trace.
      guard let analyzed = try json(["analyze"] + forms) else { return }
      let run = try #require((analyzed["runs"] as? [Object])?.first)

      let checked = try #require(try json(["check", "--max-ratio", "1000000"] + forms))
      let other = try #require((checked["runs"] as? [Object])?.first)
      for key in ["durationNs", "primarySurface", "input", "surfaces", "work", "lists"] {
        #expect(Self.areEqual(run[key], other[key]), "check: \(key)")
      }

      let inspected = try #require(try json(["inspect", "--format", "json", input.path]))
      #expect(Self.areEqual(inspected["durationNs"], run["durationNs"]), "inspect")
      let source = try #require(run["input"] as? Object)
      #expect(Self.areEqual(inspected["losses"], source["losses"]), "inspect")
      let surfaces = try #require(run["surfaces"] as? [Object])
      let frames = surfaces.reduce(0) { sum, surface in
        let counts = surface["frames"] as? [String: Any]
        return sum + (counts?["total"] as? Int ?? 0) + (counts?["notRequested"] as? Int ?? 0)
      }
      #expect((inspected["content"] as? Object)?["frames"] as? Int == frames, "inspect")

      try checkSummary(of: input, surfaces, run, console)
    }
  }

  private func checkSummary(
    of input: Input, _ surfaces: [Object], _ run: Object, _ console: CapturedConsole
  ) throws {
    _ = console.run(["summarize", "--allow-loss", input.path] + input.flags)
    var found = 0
    for line in console.output.split(separator: "\n") {
      let summary = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object)
      let scopes = try #require(summary["scopes"] as? [Object])
      guard let surface = surfaces.first(where: { Self.areEqual($0["name"], summary["surface"]) }),
        let scope = scopes.first(where: { $0["scope"] as? String == "all" })
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
      if !(surface["hitchTimeNs"] is NSNull) {
        let time = (surface["measuredTime"] as? Object)?["durationNs"]
        #expect(Self.areEqual(scope["motionNs"], time), "summarize: motionNs")
      }
      guard Self.areEqual(summary["surface"], run["primarySurface"]) else { continue }
      let work = try #require(run["work"] as? Object)
      for key in ["mainRunningNs", "backgroundRunningNs"] {
        #expect(Self.areEqual(scope[key], work[key]), "summarize: \(key)")
      }
    }
    // What a trace that lost data says is not added up.
    let isWhole = ((run["input"] as? Object)?["losses"] as? [Any])?.isEmpty == true
    #expect(found == surfaces.count || !isWhole, "summarize")
  }

  private static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
    guard let left = left as? NSObject, let right = right as? NSObject else { return false }
    return left.isEqual(right)
  }
}
