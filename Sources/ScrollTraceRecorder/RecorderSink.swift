/// Where a recording goes.
public enum RecorderSink: Hashable, Sendable {
  /// A mapped file: every event is in it at once and survives the death of the process.
  ///
  /// Where the file system or a sandbox allows no mapping, it becomes a `file`; `TraceRecorder.sink`
  /// says so. The file must not be made shorter by anybody while it is recorded: no program survives
  /// a store into a mapped page that is gone.
  case mappedFile(path: String)

  /// A file that is written by ordinary writes, a chunk when it is full and the rest at the end: for
  /// file systems that cannot map files. What is not written yet dies with the process.
  case file(path: String)

  /// Memory; `TraceRecorder.recordedBytes` gives the bytes.
  case memory

  /// Whether the events are in the file at once.
  var isMapped: Bool {
    if case .mappedFile = self { true } else { false }
  }

  /// The file's path; empty for memory.
  var path: String {
    switch self {
    case .mappedFile(let path), .file(let path): path
    case .memory: ""
    }
  }
}
