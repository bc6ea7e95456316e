internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The trace that records are added to, with the handles of what they name.
struct FXTTrace {
  var builder: TraceBuilder
  var threads = FXTThreads()
  let vocabulary: FXTVocabulary
  /// The names of the labels with a role.
  private var labelNames: [LabelID: StringID] = [:]
  private var texts: [StringID: String] = [:]

  init(_ builder: TraceBuilder) {
    self.builder = builder
    vocabulary = FXTVocabulary(&self.builder)
  }

  mutating func lose(_ reason: Loss.Reason, _ count: UInt64 = 1, at offset: UInt64) {
    builder.offset = offset
    builder.countLoss(reason, count: count)
    builder.offset = nil
  }

  mutating func label(
    category: StringID, name: StringID, _ role: Vocabulary.Role
  ) -> FXTLabel {
    let label = FXTLabel(builder.label(category: category, name: name), role)
    if role != .plain { labelNames[label.id] = name }
    return label
  }

  mutating func name(of label: FXTLabel) -> String { text(of: labelNames[label.id] ?? .empty) }

  /// Returns the name `id` as a string, shared by all callers: a small record can refer to a long
  /// name.
  mutating func text(of id: StringID) -> String {
    if let text = texts[id] { return text }
    let text = builder.name(of: id)
    texts[id] = text
    return text
  }

  // MARK: - Threads

  /// Returns the number of a thread, assigning one to a new thread.
  mutating func thread(process: UInt64, thread: UInt64) -> UInt32 {
    threads.index(process: process, thread: thread, in: &builder)
  }

  func track(of thread: UInt32) -> TrackID { threads.track(of: thread) }
}
