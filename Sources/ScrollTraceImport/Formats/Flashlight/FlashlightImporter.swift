package import ScrollTraceModel

/// Reads Flashlight's measurements of React Native, Flutter and native apps.
///
/// The article *Results of benchmarks* of this module describes the mapping.
package struct FlashlightImporter: TraceImporter, JSONTextReader {
  package static let name = "flashlight"

  package static let fileEndings = ["json"]

  /// Creates an importer; memory grows only with the data, so no option applies.
  package init(options: ImportOptions) {}

  /// Returns whether the text is an object, or an array of objects, with a member that only
  /// measures have.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    JSONSniff.sniff(prefix, of: ["\"perName\"", "\"perCore\""], allowsArray: true)
  }

  private var results: [FlashlightResult] = []
  private var numbers = ResultNumbers()

  package static let parts = "measures"

  package mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    try scanner.passOneOrMany { (scanner) throws(ScanFault) in try readResult(&scanner) }
  }

  package var isEmpty: Bool { results.allSatisfy(\.counted.isEmpty) }

  // MARK: - Walking

  private mutating func readResult(_ scanner: inout JSONScanner) throws(ScanFault) {
    let position = results.count
    results.append(FlashlightResult())
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "name": results[position].name = try scanner.passText() ?? ""
      case "score": results[position].score = try scanner.passView { $0.double }
      case "status":
        results[position].hasFailed = try scanner.passView { $0.isText("FAILURE") }
      case "specs":
        try scanner.passMembers { (name, scanner) throws(ScanFault) in
          let value = try scanner.passView { $0.double }
          if name == "refreshRate", let value, 1...1000 ~= value {
            results[position].refreshRate = value
          }
        }
      case "iterations":
        try scanner.passElements { (scanner) throws(ScanFault) in
          try readIteration(of: position, &scanner)
        }
      default: _ = try scanner.passValue()
      }
    }
  }

  private mutating func readIteration(
    of position: Int, _ scanner: inout JSONScanner
  ) throws(ScanFault) {
    let index = results[position].iterations.count
    results[position].iterations.append(FlashlightResult.Iteration())
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "time":
        results[position].iterations[index].length = try scanner.passView { $0.double }
      case "isRetriedIteration":
        results[position].iterations[index].wasRetried = try scanner.passView {
          $0.bytes.hasBytes(of: "true")
        }
      case "measures":
        try scanner.passElements { (scanner) throws(ScanFault) in
          if let measure = try scanner.passView({ FlashlightMeasure($0) }) {
            numbers.invalidCount += measure.invalidCount
            results[position].iterations[index].measures.append(measure)
          } else {
            numbers.invalidCount += 1
          }
        }
      default: _ = try scanner.passValue()
      }
    }
  }

  // MARK: - The end

  package mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    let measured = results.filter { !$0.counted.isEmpty }
    guard !measured.isEmpty else { throw ImportError("the results contain no measurements") }
    var end = Timestamp.zero
    var knowsMain = true
    for result in measured {
      knowsMain = result.add(to: &numbers) && knowsMain
      builder.setBasis(.aggregate, of: builder.surface(result.title))
      end = result.addSamples(from: end, to: &builder)
    }
    numbers.finish(in: &builder)
    builder.addNotice(
      .source(
        "the source reports frames per second, not frames: lateness and a hitch"
          + " time ratio are unknown; a list at rest counts as smooth"))
    if !knowsMain {
      builder.addNotice(
        .source(
          "no thread is marked as the main thread, unlike in newer versions ('UI Thread'): it is"
            + " listed with the other threads, under the end of the app's name"))
    }
    if measured.contains(where: { $0.refreshRate == nil }) {
      builder.addNotice(.source("the display's rate is unknown; assumed 60 Hz"))
    }
    noteLeftOut(in: &builder)
  }

  private func noteLeftOut(in builder: inout TraceBuilder) {
    let retried = results.reduce(0) { $0 + $1.iterations.count { $0.wasRetried } }
    if retried > 0 {
      builder.addNotice(.source("iterations that were retried, omitted: \(retried)"))
    }
    for result in results where result.hasFailed {
      builder.addNotice(.source("the test '\(result.title)' failed"))
    }
  }
}
