/// One measurement.
protocol Benchmark: Sendable {
  var name: String { get }

  func run() throws -> BenchResult
}
