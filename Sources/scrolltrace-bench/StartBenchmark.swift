/// The time from start to exit of `scrolltrace --version`, compared with a Swift program without
/// Foundation that prints a line.
struct StartBenchmark: Benchmark {
  let name = "start.version"
  private let rounds = 101

  func run() throws -> BenchResult {
    var values: [Double] = []
    var ratios: [Double] = []
    for round in 0...rounds {
      let plain = try ChildProcess.run("scrolltrace-bench-line", []).time
      let value = try ChildProcess.run("scrolltrace", ["--version"]).time
      if round == 0 { continue }
      values.append(value)
      ratios.append(value / plain)
    }
    return BenchResult(
      name: name, value: Rounds.median(values) / 1e6, unit: "ms",
      reference: "a Swift program that prints a line", ratio: Rounds.median(ratios),
      rounds: rounds)
  }
}
