import ScrollTraceModel

/// What a piece of main-thread work is, as far as changes are concerned.
enum WorkRole: UInt8 {
  case other, frame, prepare, configure, create, reuse, decode, load, snapshot

  /// The role of a label.
  init(category: String, name: String) {
    switch (category, name) {
    case ("scrolltrace.frame", _): self = .frame
    case ("scrolltrace.cell", "prepare"): self = .prepare
    case ("scrolltrace.cell", "configure"): self = .configure
    case ("scrolltrace.cell", "create"): self = .create
    case ("scrolltrace.cell", "dequeue"), ("scrolltrace.cell", "prepareForReuse"): self = .reuse
    case ("scrolltrace.image", "decode"), ("scrolltrace.image", "thumbnail"): self = .decode
    case ("scrolltrace.data", "load"): self = .load
    case ("scrolltrace.data", "applySnapshot"): self = .snapshot
    default: self = .other
    }
  }

  /// The roles of all labels of `trace`, by their numbers.
  static func roles(of trace: Trace) -> [WorkRole] {
    trace.labels.labels.map {
      WorkRole(category: trace.strings[$0.category], name: trace.strings[$0.name])
    }
  }
}
