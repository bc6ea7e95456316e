import Foundation
import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// The forms that build servers read: commands of GitHub, OpenMetrics, benchmark files.
@Suite struct BuildServerFormTests {
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  // MARK: - Commands of GitHub

  @Test func `exceeded limits are errors, too few runs warnings, errors first`() {
    let text = GitHubRenderer().render(Report([Renders.analyses[0]], verdict: Verdicts.mixed))
    #expect(
      lines(text) == [
        "::error title=scrolltrace%3A FAIL hitch time ratio::hitchTimeRatioMsPerS 31.88 ms/s is"
          + " over the limit of 5 ms/s",
        "::error title=scrolltrace%3A NOT EVALUATED headroomMs::headroomMs is not known",
        "::warning title=scrolltrace%3A FAIL deadline misses::feed: deadlineMisses 3 is over the limit"
          + " of 2",
        "::warning title=scrolltrace%3A TOO FEW RUNS hitches::hitches 1 to 2: it takes 4 runs a"
          + " side",
      ])
  }

  private func result(
    of subject: String = "", _ status: Verdict.Status, _ reason: String,
    level: LimitResult.Level = .error
  ) -> LimitResult {
    LimitResult(
      metric: "hitches", unit: "count", subject: subject, value: 1, runs: 1, limit: .maximum(0),
      level: level, status: status, reason: reason)
  }

  @Test func `what fails has no warning beside its error`() {
    let results = [
      result(.failed, "over 1", level: .warn), result(.failed, "over 2"),
      result(of: "feed", .failed, "over 3", level: .warn),
    ]
    let verdict = Verdict(.failed, reasons: [], results: results)
    #expect(
      lines(GitHubRenderer().render(Report([Renders.analyses[0]], verdict: verdict))) == [
        "::error title=scrolltrace%3A FAIL hitches::over 2",
        "::warning title=scrolltrace%3A FAIL hitches::feed: over 3",
      ])
  }

  @Test func `one command has each reason, with its subjects, after what grew`() {
    let reason = "hitches: 1 of 2 runs has no data"
    let verdict = Verdict(
      .failed, reasons: [],
      results: [
        result(of: "a*", .notEvaluated, reason), result(of: "b*", .notEvaluated, reason),
        result(.failed, "too many"), result(.failed, "too many"),
      ], growth: ["b*: image/decode 0 → 14.2 ms per item"])
    #expect(
      lines(GitHubRenderer().render(Report([Renders.analyses[0]], verdict: verdict))) == [
        "::error title=scrolltrace%3A FAIL grew::b*: image/decode 0 → 14.2 ms per item",
        "::error title=scrolltrace%3A NOT EVALUATED hitches::a*, b*: hitches: 1 of 2 runs has no data",
        "::error title=scrolltrace%3A FAIL hitches::too many",
      ])
  }

  @Test func `at most ten commands are written, and the last one counts the rest`() throws {
    let results = (0..<25).map { result(.failed, "reason \($0)") }
    let verdict = Verdict(.failed, reasons: [], results: results)
    let text = GitHubRenderer().render(Report([Renders.analyses[0]], verdict: verdict))
    #expect(lines(text).count == 10)
    #expect(lines(text).last == "::error title=scrolltrace::16 more; see the report")
  }

  @Test func `without a budget only problems are reported, as warnings`() throws {
    let runs = [Renders.analyses[3], Renders.analyses[0]]
    let text = GitHubRenderer().render(Report(runs))
    #expect(lines(text).count == 1)
    #expect(
      text.hasPrefix("::warning title=scrolltrace%3A CRITICAL feed.fxt::26 ms/s of hitch time "))
    #expect(GitHubRenderer().render(Report([Renders.analyses[3]])) == "")
  }

  @Test func `a hostile name creates no command`() async {
    await forEachCase(of: HostileNames.all.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let name = HostileNames.all[index]
      let report = Report([Renders.hostile(name)], verdict: Verdicts.hostile(name))
      let text = GitHubRenderer().render(report)
      #expect(text.utf8.count < 20_000)
      let all = text.unicodeScalars.split(separator: "\n").map(String.init)
      #expect(all.count == 1 && all[0].hasPrefix("::error title=scrolltrace%3A FAIL "))
      #expect(!text.contains("\r") && !text.contains("##["))
      // The properties end at the first `::` behind them.
      let properties = all[0].dropFirst(2).prefix { $0 != ":" }
      #expect(!properties.contains(","))
    }
  }

  // MARK: - Numbers

  @Test func `OpenMetrics has samples below their type, distinct labels, and its end marker`() async
  {
    await forEachCase(of: ExtraCases.some(3, of: HostileNames.all.indices), oneCase)
    @Sendable func oneCase(index: Int) throws {
      let name = HostileNames.all[index]
      let report = Report([Renders.hostile(name), Renders.hostile(name), Renders.analyses[0]])
      let all = OpenMetricsRenderer().render(report).unicodeScalars.split(separator: "\n")
        .map(String.init)
      #expect(all.last == "# EOF")
      var type = ""
      for line in all.dropLast() {
        if line.hasPrefix("# TYPE ") {
          type = String(line.dropFirst(7).prefix { $0 != " " })
          let kind = type == "scrolltrace_rating" ? "stateset" : "gauge"
          #expect(line == "# TYPE \(type) \(kind)")
          continue
        }
        if line.hasPrefix("# UNIT \(type) ") || line.hasPrefix("# HELP \(type) ") { continue }
        let isSample =
          line.range(
            of:
              #"^[a-z0-9_]+\{trace="([^"\\]|\\["\\])*",surface="([^"\\]|\\["\\])*""#
              + (type == "scrolltrace_rating"
                ? #",scrolltrace_rating="[a-zA-Z]+"\} [01]$"# : #"\} [-0-9.e+]+$"#),
            options: .regularExpression) != nil
        #expect(isSample && line.hasPrefix(type + "{"), "\(line.prefix(300))")
      }
      #expect(Set(all).count == all.count)
      #expect(all.contains("# UNIT scrolltrace_hitch_time_ratio ratio"))
    }
  }

  @Test func `OpenMetrics states the rating as a set of states, of which one is true`() throws {
    let run = Renders.analyses[0]
    let all = lines(OpenMetricsRenderer().render(Report([run])))
    let name = "scrolltrace_rating"
    let samples = all.filter { $0.hasPrefix(name + "{") }
    #expect(all.first == "# TYPE \(name) stateset")
    #expect(Array(all.dropFirst().prefix(samples.count)) == samples)
    let labels = "trace=\"feed.fxt\",surface=\"\(run.surfaces[0].name)\""
    #expect(
      samples
        == Rating.allCases.map {
          "\(name){\(labels),\(name)=\"\($0.rawValue)\"} \($0 == .critical ? 1 : 0)"
        })
  }

  @Test func `benchmark files hold each number once, in the direction their tool expects`() async {
    await forEachCase(of: HostileNames.all.indices, oneCase)
    @Sendable func oneCase(index: Int) throws {
      let name = HostileNames.all[index]
      let report = Report([Renders.hostile(name), Renders.hostile(name)])
      let action = try JSONSerialization.jsonObject(
        with: Data(BenchmarkActionRenderer().render(report).utf8))
      let entries = try #require(action as? [[String: Any]])
      #expect(Set(entries.compactMap { $0["name"] as? String }).count == entries.count)
      #expect(entries.allSatisfy { $0["value"] is NSNumber && $0["unit"] is String })
      #expect(!entries.contains { ($0["name"] as? String)?.hasSuffix("headroomNs") == true })
      let bencher = try JSONSerialization.jsonObject(
        with: Data(BencherRenderer().render(report).utf8))
      let benchmarks = try #require(bencher as? [String: [String: [String: Double]]])
      #expect(benchmarks.count == 2)
      #expect(benchmarks.values.allSatisfy { $0["hitchTimeRatioMsPerS"]?["value"] != nil })
    }
  }

  @Test func `unevaluated metrics are missing, not zero`() throws {
    let run = try #require(Renders.analyses.first { !$0.isEvaluated })
    #expect(OpenMetricsRenderer().render(Report([run])) == "# EOF\n")
    #expect(BenchmarkActionRenderer().render(Report([run])) == "[]\n")
    #expect(BencherRenderer().render(Report([run])) == "{}\n")
  }
}
