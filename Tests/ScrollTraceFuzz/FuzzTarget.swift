import ScrollTraceImport
import ScrollTraceKit

/// What the fuzzer calls with each input: any bytes, opened, analysed and rendered in all forms.
///
/// The input's format is found as for any file, so that all readers are reached: which of them
/// mostly, the seeds say. A trap, a read out of bounds or endless work is a find; an error is not.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let trace = try? TraceFile.read(MemoryByteSource(input)) else { return 0 }
  let report = Report([TraceAnalyzer().analyze(trace)])
  let frames = trace.surfaces.first { $0.frames.count > 0 }?.frames
  let length =
    TextRenderer().render(report).utf8.count + JSONRenderer().render(report).utf8.count
    + TextRenderer().render(Report(report.runs, frame: frames?[0].id ?? 0)).utf8.count
  // Small files make small reports: who reads one in CI must not drown in it.
  precondition(length < 16 << 20, "a report of \(length) bytes from \(count) bytes")
  return 0
}
