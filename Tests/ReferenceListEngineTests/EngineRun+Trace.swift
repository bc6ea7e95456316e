import ScrollTraceImport
import ScrollTraceModel

extension EngineRun {
  /// The recording as a trace, read like any file.
  func trace() throws -> Trace {
    try TraceFile.read(MemoryByteSource(bytes))
  }
}
