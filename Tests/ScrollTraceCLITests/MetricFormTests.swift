import Foundation
import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceReport
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// A metric has one name and one value in every form that the command writes.
@Suite struct MetricFormTests {
  private typealias Object = [String: Any]

  private static let names = ExtraCases.some(4, of: SampleTraces.all.map(\.name))
  private static let samples = PackageFiles.url("SampleTraces").path

  private let console: CapturedConsole

  init() throws {
    console = try CapturedConsole()
  }

  /// A sample and its JSON report.
  private struct Sample {
    let path: String
    let run: [String: Any]
    let surface: [String: Any]

    /// The value of a metric in the JSON report; `nil` if it is null.
    func value(of metric: Metric) throws -> Double? {
      let keys = metric.name.split(separator: ".").map(String.init)
      if keys.first == "lists" {
        let lists = run["lists"] as? [[String: Any]]
        if keys[1] == "blank" {
          return lists?.compactMap { ($0["blank"] as? Object)?[keys[2]] as? Double }.max()
        }
        return lists.map { $0.reduce(0) { $0 + Self.sum(of: keys.dropFirst(), in: $1) } }
      }
      let frames = try #require(surface["frames"] as? [String: Any])
      let work = try #require(run["work"] as? [String: Any])
      // The counts of frames are together, and the number of frames is their total. The surface's
      // own `hitches` are a list.
      if metric.name == "frames" { return frames["total"] as? Double }
      let place = try #require(
        [frames, surface, work].first { $0[keys[0]] != nil }, "\(metric.name) is missing")
      let value = keys.dropFirst().reduce(place[keys[0]]) { ($0 as? [String: Any])?[$1] }
      return value as? Double
    }

    private static func sum(of keys: ArraySlice<String>, in value: Any?) -> Double {
      if let values = value as? [Any] { return values.reduce(0) { $0 + sum(of: keys, in: $1) } }
      guard let key = keys.first else { return value as? Double ?? 0 }
      return sum(of: keys.dropFirst(), in: (value as? [String: Any])?[key])
    }
  }

  private func json(_ arguments: String...) throws -> [String: Any] {
    _ = console.run(arguments + ["--format", "json", "--allow-loss"])
    let object = try? JSONSerialization.jsonObject(with: Data(console.output.utf8)) as? Object
    return try #require(object, "\(console.errors)")
  }

  /// A number as the reader of the JSON report reads it, which rounds long ones in its own way.
  private func number(_ text: (some StringProtocol)?) -> Double? {
    guard let text else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [Double])?.first
  }

  private func sample(_ name: String) throws -> Sample {
    let path = "\(Self.samples)/\(name).fxt"
    let run = try #require((try json("analyze", path)["runs"] as? [Object])?.first)
    let surfaces = try #require(run["surfaces"] as? [Object])
    let primary = try #require(run["primarySurface"] as? String)
    let surface = try #require(surfaces.first { $0["name"] as? String == primary })
    return Sample(path: path, run: run, surface: surface)
  }

  @Test func `budgets limit the number in the report`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let sample = try sample(name)
      let limits = Metric.all.map { "\"\($0.name)\": 0" }.joined(separator: ", ")
      let budget = "{\"schema\": \"scrolltrace.budget/2\", \"limits\": {\(limits)}}"
      let report = try json("check", sample.path, "--budget", budget)
      let results = try #require((report["verdict"] as? Object)?["results"] as? [Object])
      #expect(results.count == Metric.all.count)
      for (metric, result) in zip(Metric.all, results) {
        #expect(result["metric"] as? String == metric.name)
        #expect(result["unit"] as? String == metric.unit.rawValue)
        #expect(result["value"] as? Double == (try sample.value(of: metric)), "\(metric.name)")
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
      let object = try JSONSerialization.jsonObject(
        with: Data(try console.content("baseline.json").utf8))
      let group = try #require(((object as? Object)?["groups"] as? [Object])?.first)
      let run = try #require((group["runs"] as? [Object])?.first)
      let values = try #require((run["values"] as? [String: Object])?[""])
      for metric in Metric.all {
        #expect(
          values[metric.name] as? Double == (try sample.value(of: metric)), "\(metric.name)")
      }
    }
  }

  @Test func `comparisons compare the numbers in the report`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let sample = try sample(name)
      let report = try json("compare", sample.path, sample.path)
      let comparison = try #require(report["comparison"] as? Object)
      for (part, metrics) in [("frames", Metric.ofFrames), ("work", Metric.ofWork)] {
        for metric in metrics {
          let value = metric.name.split(separator: ".").reduce(comparison[part]) {
            ($0 as? Object)?[String($1)]
          }
          let sides = try #require(value as? Object, "\(metric.name)")
          let expected = try sample.value(of: metric)
          #expect(sides["base"] as? Double == expected, "\(metric.name)")
          #expect(sides["new"] as? Double == expected, "\(metric.name)")
        }
      }
    }
  }

  @Test func `build servers read the numbers in the report`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let sample = try sample(name)
      func text(_ format: String) -> String {
        _ = console.run("analyze", sample.path, "--format", format)
        return console.output
      }
      let gauges = text("openmetrics").split(separator: "\n").filter {
        !$0.hasPrefix("#") && !$0.hasPrefix("scrolltrace_rating{")
      }
      let bencher = try #require(
        try JSONSerialization.jsonObject(with: Data(text("bencher").utf8))
          as? [String: [String: [String: Double]]])
      let measures = try #require(bencher.values.first)
      let entries = try #require(
        try JSONSerialization.jsonObject(with: Data(text("benchmark-action").utf8)) as? [Object])
      let junit = text("junit")
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
          let entry = entries.first {
            ($0["name"] as? String)?.hasSuffix(": \(metric.name)") == true
          }
          #expect(entry?["value"] as? Double == expected, "\(metric.name)")
        }
        let property = junit.components(separatedBy: "<property name=\"\(metric.name)\" value=\"")
        let value = property.dropFirst().first?.prefix { $0 != "\"" }
        #expect(number(value) == expected, "\(metric.name)")
      }
      #expect(gauges.count == measures.count { $0.key != "rating" })
    }
  }
}
