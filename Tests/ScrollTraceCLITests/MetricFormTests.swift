import Foundation
import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceReport
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// A metric has one name and one value in every form that the command writes.
@Suite struct MetricFormTests {
  private static let names = ExtraCases.some(4, of: SampleTraces.all.map(\.name))

  private let console = CapturedConsole()

  /// A sample and its JSON report.
  private struct Sample {
    let path: String
    let run: JSONNode
    let surface: JSONNode

    /// The value of a metric in the JSON report; `nil` if it is null.
    func value(of metric: Metric) throws -> Double? {
      let keys = metric.name.split(separator: ".").map(String.init)
      if keys.first == "lists" {
        let lists = run["lists"].array
        if keys[1] == "blank" { return lists.compactMap { $0["blank"][keys[2]].number }.max() }
        return lists.reduce(0) { $0 + Self.sum(of: keys.dropFirst(), in: $1) }
      }
      // The counts of frames are together, and the number of frames is their total. The surface's
      // own `hitches` are a list.
      if metric.name == "frames" { return surface["frames"]["total"].number }
      let place = try #require(
        [surface["frames"], surface, run["work"]].first { $0[keys[0]].value != nil },
        "\(metric.name) is missing")
      return keys.reduce(place) { $0[$1] }.number
    }

    private static func sum(of keys: ArraySlice<String>, in node: JSONNode) -> Double {
      if node.count != nil { return node.array.reduce(0) { $0 + sum(of: keys, in: $1) } }
      guard let key = keys.first else { return node.number ?? 0 }
      return sum(of: keys.dropFirst(), in: node[key])
    }
  }

  private func json(_ arguments: String...) throws -> JSONNode {
    _ = console.run(arguments + ["--format", "json", "--allow-loss"])
    return try #require(try? console.json(), "\(console.errors)")
  }

  /// A number as the reader of the JSON report reads it, which rounds long ones in its own way.
  private func number(_ text: (some StringProtocol)?) -> Double? {
    try? JSONNode("[\(text ?? "")]")[0].number
  }

  /// The JSON reports on samples.
  private static let reports = MadeOnce<String, String> { path in
    let console = CapturedConsole()
    _ = console.run("analyze", path, "--format", "json", "--allow-loss")
    return console.output
  }

  private func sample(_ name: String) throws -> Sample {
    let path = PackageFiles.sample("\(name).fxt")
    let run = try JSONNode(Self.reports.value(for: path))["runs"][0]
    let primary = try #require(run["primarySurface"].string)
    let surface = try #require(run["surfaces"].array.first { $0["name"].string == primary })
    return Sample(path: path, run: run, surface: surface)
  }

  @Test func `budgets limit the number in the report`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let sample = try sample(name)
      let limits = Metric.all.map { "\"\($0.name)\": 0" }.joined(separator: ", ")
      let budget = "{\"schema\": \"scrolltrace.budget/2\", \"limits\": {\(limits)}}"
      let results = try json("check", sample.path, "--budget", budget)["verdict"]["results"].array
      #expect(results.count == Metric.all.count)
      for (metric, result) in zip(Metric.all, results) {
        result.expect(["metric": metric.name, "unit": metric.unit.rawValue])
        #expect(result["value"].number == (try sample.value(of: metric)), "\(metric.name)")
      }
    }
  }

  @Test func `baselines store the number in the report`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let sample = try sample(name)
      let limits = Metric.all.map { "\"\($0.name)\": 0" }.joined(separator: ", ")
      let budget =
        "{\"schema\": \"scrolltrace.budget/2\", \"maxUnknownShare\": 1, \"limits\": {\(limits)}}"
      let file = console.folder + "/baseline.json"
      let status = console.run(
        "baseline", sample.path, "-o", file, "--budget", budget, "--allow-loss")
      #expect(status == .done, "\(console.errors)")
      let baseline = try JSONNode(console.content("baseline.json"))
      let values = baseline["groups"][0]["runs"][0]["values"][""]
      for metric in Metric.all {
        #expect(values[metric.name].number == (try sample.value(of: metric)), "\(metric.name)")
      }
    }
  }

  @Test func `comparisons compare the numbers in the report`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let sample = try sample(name)
      let comparison = try json("compare", sample.path, sample.path)["comparison"]
      for (part, metrics) in [("frames", Metric.ofFrames), ("work", Metric.ofWork)] {
        for metric in metrics {
          let sides = metric.name.split(separator: ".").reduce(comparison[part]) { $0[String($1)] }
          try #require(sides.value is [String: Any], "\(metric.name)")
          let expected = try sample.value(of: metric)
          #expect(sides["base"].number == expected, "\(metric.name)")
          #expect(sides["new"].number == expected, "\(metric.name)")
        }
      }
    }
  }

  @Test func `build servers read the numbers in the report`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let sample = try sample(name)
      // The ending names the format.
      let endings = ["prom", "bmf.json", "benchmark.json", "xml"]
      let outputs = endings.flatMap { ["-o", "\(console.folder)/\(name).\($0)"] }
      _ = console.run(["analyze", sample.path] + outputs)
      func text(_ ending: String) throws -> String { try console.content("\(name).\(ending)") }
      let gauges = try text("prom").split(separator: "\n").filter {
        !$0.hasPrefix("#") && !$0.hasPrefix("scrolltrace_rating{")
      }
      let bencher = try JSONNode(text("bmf.json")).value as? [String: [String: [String: Double]]]
      let measures = try #require(bencher?.values.first)
      let entries = try JSONNode(text("benchmark.json")).array
      let junit = try text("xml")
      for metric in Metric.headline {
        let expected = try sample.value(of: metric)
        let gauge = OpenMetricsRenderer.name(of: metric)
        let line = gauges.first { $0.hasPrefix(gauge + "{") }
        let base = expected.map { OpenMetricsRenderer.value($0, of: metric) }
        let found = number(line?.split(separator: " ").last)
        #expect((found == nil) == (base == nil), "\(gauge)")
        #expect(abs((found ?? 0) - (base ?? 0)) < 1e-12, "\(gauge)")
        #expect(measures[metric.name]?["value"] == expected, "\(metric.name)")
        if metric.better == .lower {
          let entry = entries.first { $0["name"].string?.hasSuffix(": \(metric.name)") == true }
          #expect(entry?["value"].number == expected, "\(metric.name)")
        }
        let property = junit.components(separatedBy: "<property name=\"\(metric.name)\" value=\"")
        let value = property.dropFirst().first?.prefix { $0 != "\"" }
        #expect(number(value) == expected, "\(metric.name)")
      }
      #expect(gauges.count == measures.count { $0.key != "rating" })
    }
  }
}
