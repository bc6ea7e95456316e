/// One measurement.
protocol Benchmark: Sendable {
  /// The name, which is promised.
  var name: String { get }

  /// Measures.
  func run() throws -> BenchResult
}
