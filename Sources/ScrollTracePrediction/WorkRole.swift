import ScrollTraceAnalysis
import ScrollTraceModel

/// The part that main-thread work has in proposed changes.
enum WorkRole: UInt8 {
  case other, frame, prepare, configure, create, reuse, size, decode, load, snapshot

  /// Creates the role of a word about lists, or of other work.
  init(_ word: ListWord?) {
    switch word {
    case .prepare: self = .prepare
    case .configure: self = .configure
    case .create: self = .create
    case .dequeue, .prepareForReuse: self = .reuse
    case .size: self = .size
    case .decode, .thumbnail: self = .decode
    case .load: self = .load
    case .applySnapshot: self = .snapshot
    default: self = .other
    }
  }

  /// Returns the roles of all labels of `trace`, by their numbers.
  static func roles(of trace: Trace) -> [WorkRole] {
    trace.labels.labels.map { label in
      let category = trace.strings[label.category]
      guard category != "scrolltrace.frame" else { return .frame }
      return WorkRole(ListWord(category: category, name: trace.strings[label.name]))
    }
  }
}
