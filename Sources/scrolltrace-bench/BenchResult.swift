internal import ScrollTraceKit

struct BenchResult {
  var name: String
  /// The median of all rounds.
  var value: Double
  var unit = "ns"
  /// The reference measured in the same rounds, or an empty string if there is none.
  var reference = ""
  /// The median of the rounds' ratios to the reference.
  var ratio: Double?
  var rounds: Int

  static func table(_ results: [BenchResult]) -> String {
    let width = results.map(\.name.count).max() ?? 0
    return results.map { result in
      var line = ColumnWidth.padded(result.name, to: width + 2)
      line += ColumnWidth.rightAligned(fixed(result.value, 2), to: 10) + " " + result.unit
      if let ratio = result.ratio { line += "  " + fixed(ratio, 2) + " x " + result.reference }
      return line
    }.joined(separator: "\n")
  }

  static func json(_ results: [BenchResult]) -> String {
    let entries = results.map { result in
      var fields = [
        "\"name\":\"\(result.name)\"", "\"value\":\(fixed(result.value, 3))",
        "\"unit\":\"\(result.unit)\"",
      ]
      if let ratio = result.ratio {
        fields.append("\"reference\":\"\(result.reference)\"")
        fields.append("\"ratio\":\(fixed(ratio, 3))")
      }
      fields.append("\"rounds\":\(result.rounds)")
      return "{" + fields.joined(separator: ",") + "}"
    }
    return "{\"benchmarks\":[" + entries.joined(separator: ",") + "]}"
  }

  private static func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    guard let scaled = Int(exactly: (value * Double(scale)).rounded()) else { return "0" }
    let fraction = String(abs(scaled) % scale)
    return (scaled < 0 ? "-" : "") + String(abs(scaled) / scale) + "."
      + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}

protocol Benchmark: Sendable {
  var name: String { get }

  func run() throws -> BenchResult
}
