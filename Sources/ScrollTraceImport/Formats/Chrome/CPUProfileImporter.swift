package import ScrollTraceModel

/// Reads profiles of V8 alone, as DevTools and Node save them: `.cpuprofile`.
package struct CPUProfileImporter: TraceImporter, JSONTextReader {
  /// `cpuprofile`
  package static let name = "cpuprofile"

  /// `cpuprofile`
  package static let fileEndings = ["cpuprofile"]

  /// An importer; nothing is allocated for what is not there, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the text is an object with nodes and call frames, or with the tree of older versions.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let isProfile =
      JSONSniff.contains("\"callFrame\"", prefix) && JSONSniff.contains("\"nodes\"", prefix)
      || JSONSniff.contains("\"head\"", prefix) && JSONSniff.contains("\"functionName\"", prefix)
    // An array of events may contain the same words.
    guard isProfile else { return JSONSniff.sniff(prefix, of: []) }
    return JSONSniff.sniff(prefix, of: ["\"callFrame\"", "\"head\""])
  }

  private var tree = V8Profile()
  private var samples: [Int64] = []
  private var deltas: [Int64] = []
  /// The times of older versions, which are not increments.
  private var timestamps: [Int64] = []
  private var start: Int64 = 0

  package static let parts = "nodes and samples"

  package mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "nodes":
        try scanner.passElements { (scanner) throws(ScanFault) in
          try scanner.passView { tree.addNode($0, in: &builder) }
        }
      case "head": try scanner.passView { tree.addTree($0, in: &builder) }
      case "samples":
        let beyond: UInt64
        (samples, beyond) = try Self.readNumbers(&scanner, in: &builder)
        if beyond > 0 { builder.countLoss(.limitReached, count: beyond) }
      case "timeDeltas": deltas = try Self.readNumbers(&scanner, in: &builder).numbers
      case "timestamps": timestamps = try Self.readNumbers(&scanner, in: &builder).numbers
      case "startTime": start = try scanner.passView { $0.integer } ?? 0
      default: _ = try scanner.passValue()
      }
    }
  }

  /// Reads as many numbers as a trace can have samples, and returns how many are beyond.
  private static func readNumbers(
    _ scanner: inout JSONScanner, in builder: inout TraceBuilder
  ) throws(ScanFault) -> (numbers: [Int64], beyond: UInt64) {
    var (numbers, beyond): ([Int64], UInt64) = ([], 0)
    try scanner.passElements { (scanner) throws(ScanFault) in
      let number = try scanner.passView { $0.integer }
      guard numbers.count < TraceBuilder.sampleLimit else { return beyond += 1 }
      numbers.append(number ?? 0)
      if number == nil { builder.countLoss(.invalidValue) }
    }
    return (numbers, beyond)
  }

  package var isEmpty: Bool { samples.isEmpty }

  package mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    let track = builder.track(0, of: builder.process(0))
    builder.setName("main", of: track)
    builder.setMain(track)
    let series = builder.sampleSeries(of: track, reach: .middle, resolution: 1000)
    if deltas.isEmpty {
      deltas = timestamps.map { V8Clock.time(microseconds: $0)?.nanoseconds ?? -1 }
    } else {
      var clock = V8Clock(start: start)
      clock.replaceDeltas(&deltas)
    }
    tree.addSamples(of: samples, at: deltas, to: series, in: &builder)
  }
}
