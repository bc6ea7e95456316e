/// One measurement.
protocol Benchmark: Sendable {
  /// The name, which is stable.
  var name: String { get }

  func run() throws -> BenchResult
}
