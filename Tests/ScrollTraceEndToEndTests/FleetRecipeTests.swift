import Foundation
import ScrollTraceTestSupport
import Testing

/// The scripts of the guide for fleets, run as they stand there.
@Suite struct FleetRecipeTests {
  /// A folder with the samples many times over, one file that is no trace, and their lines.
  private struct Fleet {
    private let home = TemporaryFolder()
    private var folder: String { home.path }

    init(copies: Int) throws {
      let samples = PackageFiles.url("SampleTraces").path
      let command = try CommandProcess.command()
      let made = try run(
        """
        mkdir bin runs; ln -s '\(command)' bin/scrolltrace; echo 'not a trace' > runs/0.fxt
        for copy in $(seq \(copies)); do
          for trace in '\(samples)'/*.fxt; do ln -s "$trace" "runs/$copy-${trace##*/}"; done
        done
        find runs -name '*.fxt' | sort > paths.txt
        while read build device trace; do
          grep $trace paths.txt | scrolltrace summarize --files-from - \\
            --attribute build=$build --attribute device=$device
        done > built.ndjson <<'end'
        1.2.0 pixel6a feed
        1.3.0 pixel6a cells
        1.2.0 pixel9 snapshot
        1.3.0 pixel9 interactions
        1.3.0 pixel4 stall
        end
        scrolltrace merge built.ndjson --by attribute:build > builds.ndjson
        scrolltrace summarize --files-from paths.txt --keep-going > lines.ndjson
        """)
      try #require(made.status == 0, "\(made.output)")
    }

    func run(_ script: String, _ words: [String] = []) throws -> ShellRun {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return try ShellRun(
        script, words, in: folder, variables: ["PATH": "\(folder)/bin:\(path)"], keepsErrors: false)
    }

    /// The sums of `scrolltrace merge`, a row for each surface and each bucket of its hitches.
    func merged() throws -> (sums: [String], buckets: [String]) {
      let merged = try run("scrolltrace merge lines.ndjson")
      try #require(merged.status == 0)
      var (sums, buckets): ([String], [String]) = ([], [])
      for line in merged.output.split(separator: "\n") {
        let node = try JSONNode(line)
        guard let surface = node["surface"].string, let basis = node["basis"].string,
          let interval = node["refreshIntervalNs"].integer
        else { continue }
        let scope = node["scopes"][0]
        scope.expect(["scope": "all"])
        let values = ["motionNs", "hitchTimeNs", "frames", "hitches"].compactMap {
          scope[$0].integer.map(String.init)
        }
        let key = [surface, basis, "\(interval)"]
        sums.append((key + values).joined(separator: ","))
        let bars = scope["histograms"]["hitchNs"]
        for index in 0..<(bars["buckets"].count ?? 0) {
          let bar = [bars["buckets"][index], bars["counts"][index]].compactMap(\.integer)
          buckets.append((key + bar.map(String.init)).joined(separator: ","))
        }
      }
      return (sums, buckets)
    }
  }

  /// The blocks of code of a language below a heading of the guide.
  private func blocks(of heading: String, _ language: String) throws -> [String] {
    let text = try PackageFiles.text(
      "Sources/ScrollTraceKit/ScrollTraceKit.docc/FleetRecipes.md")
    let section = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    return section.components(separatedBy: "\n## ")[0].components(separatedBy: "```\(language)\n")
      .dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  private static func hasPython(_ modules: String) -> Bool {
    ShellRun.succeeds("python3 -c 'import \(modules)'")
  }

  /// The rows that DuckDB prints for each of `queries` on a file of lines.
  private func answers(
    of queries: [String], on lines: String, in fleet: Fleet
  ) throws -> [[String]] {
    let script = """
      import duckdb, sys
      database = duckdb.connect()
      for query in sys.argv[1:]:
          print("--")
          for row in database.execute(query).fetchall():
              print(*row, sep=",")
      """
    let run = try fleet.run(
      "mkdir of-\(lines); cd of-\(lines); cp ../\(lines) lines.ndjson; python3 -c \"$@\"",
      [script] + queries)
    #expect(run.status == 0)
    return run.output.components(separatedBy: "--\n").dropFirst().map {
      $0.split(separator: "\n").map(String.init)
    }
  }

  /// Compares the level of each build, the second column of `rows`, with what `scrolltrace trend` prints.
  private func expectLevelsOfTrend(_ rows: [String], in fleet: Fleet) throws {
    let trend = try fleet.run("scrolltrace trend built.ndjson --split attribute:device")
    for level in rows {
      let words = level.split(separator: ",")
      let row = trend.output.split(separator: "\n").first { $0.hasPrefix("  \(words[0]) ") }
      let ratio = try #require(row?.split(separator: " ").dropFirst().first.flatMap { Double($0) })
      #expect(ratio == Double(words[1]), "\(level)")
    }
    #expect(rows.count == 2)
  }

  @Test(
    .needsTime,
    .needs("pyspark of Python, and Java", if: hasPython("pyspark") && hasJava))
  func `Spark adds up two thousand traces to what merge does, to the unit`() throws {
    let fleet = try Fleet(copies: 91)
    let script = try #require(try blocks(of: "Apache Spark", "python").first)
    let run = try fleet.run("python3 -c \"$1\"", [script])
    #expect(run.status == 0)
    let merged = try fleet.merged()
    #expect(merged.sums.count == 2)
    #expect(run.output.split(separator: "\n").map(String.init) == merged.sums + merged.buckets)
  }

  @Test(
    .needsTime,
    .needs("pyspark of Python, and Java", if: hasPython("pyspark") && hasJava))
  func `Spark answers what trend does first, to the unit`() throws {
    let fleet = try Fleet(copies: 8)
    let scripts = try blocks(of: "Apache Spark", "python")
    #expect(scripts.count == 2)
    let script = try #require(scripts.last)
    let run = try fleet.run(
      "mkdir spark; cd spark; cp ../built.ndjson lines.ndjson; python3 -c \"$1\"", [script])
    #expect(run.status == 0)
    let rows = run.output.split(separator: "\n").map(String.init)
    try expectLevelsOfTrend(rows, in: fleet)
    #expect(rows.allSatisfy { $0.contains("pixel9 60 Hz") && !$0.contains("pixel4") })
    guard Self.hasPython("duckdb") else { return }
    let queries = try blocks(of: "DuckDB", "sql")
    #expect(rows == (try answers(of: queries, on: "built.ndjson", in: fleet).last))
  }

  private static let hasJava = ShellRun.succeeds("java -version")

  @Test(.needsTime, .needs("duckdb of Python", if: hasPython("duckdb")))
  func `DuckDB adds up to what merge does, and answers the six questions`() throws {
    // A stratum counts from 20 traces on; each copy has three of two devices and one of another.
    let fleet = try Fleet(copies: 8)
    let queries = try blocks(of: "DuckDB", "sql")
    #expect(queries.count == 8)
    let whole = try answers(of: queries, on: "lines.ndjson", in: fleet)
    try #require(whole.count == 8)
    #expect(whole[1] == (try fleet.merged().sums))
    let builds = try answers(of: queries, on: "built.ndjson", in: fleet)
    try #require(builds.count == 8)
    #expect(builds[2].count == 2 && builds[5].count == 2)
    #expect(builds[4].first?.split(separator: ",").count == 2)
    #expect(builds[6].contains { $0.hasPrefix("scrolltrace.image/decode,") })
    try expectLevelsOfTrend(builds[7], in: fleet)
  }

  @Test(.needsTime, .needs("prometheus_client of Python", if: hasPython("prometheus_client")))
  func `Prometheus' own parser reads the counters and the histogram`() throws {
    let fleet = try Fleet(copies: 1)
    let script = try #require(try blocks(of: "Prometheus", "python").first)
    let check = """
      import sys
      from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
      for family in parse(sys.stdin.read()):
          print(family.name, family.type, len({str(s.labels) for s in family.samples}))
      """
    let run = try fleet.run(
      "python3 -c \"$1\" < builds.ndjson > scrolltrace.prom; python3 -c \"$2\" < scrolltrace.prom",
      [script, check])
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.first == "scrolltrace_motion_seconds counter 2")
    #expect(lines.last?.hasPrefix("scrolltrace_hitch_seconds histogram") == true)
  }

  @Test(
    .needsTime,
    .needs("opentelemetry-proto of Python", if: hasPython("opentelemetry.proto, google.protobuf")))
  func `the request for OpenTelemetry is one by its published definition`() throws {
    let fleet = try Fleet(copies: 1)
    let script = try #require(try blocks(of: "OpenTelemetry", "python").first)
    let check = """
      import sys
      from google.protobuf import json_format
      from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as service
      request = json_format.Parse(sys.stdin.read(), service.ExportMetricsServiceRequest())
      metrics = request.resource_metrics[0].scope_metrics[0].metrics
      for metric in metrics:
          if metric.WhichOneof("data") == "exponential_histogram":
              for point in metric.exponential_histogram.data_points:
                  print(metric.name, point.count == sum(point.positive.bucket_counts))
          else:
              print(metric.name, metric.sum.is_monotonic)
      """
    let run = try fleet.run(
      "python3 -c \"$1\" < builds.ndjson > o.json; python3 -c \"$2\" < o.json", [script, check])
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 12 && lines.allSatisfy { $0.hasSuffix(" True") }, "\(run.output)")
  }
}
