import ScrollTraceModel

/// What writes the parts of one trace, and counts those that its format cannot represent.
protocol TraceWriter: ~Copyable {
  init(_ trace: Trace, _ output: consuming ExportOutput)
  var leftOut: ExportOmissions { get }
  mutating func writeAll()
  consuming func finish() -> ExportOutput
}

extension TraceWriter where Self: ~Copyable {
  static func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    var writer = Self(trace, output)
    writer.writeAll()
    let omissions = writer.leftOut
    output = writer.finish()
    return omissions
  }
}
