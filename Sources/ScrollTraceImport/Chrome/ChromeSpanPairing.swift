import ScrollTraceModel

/// Makes spans of begin and end events (`B`, `E`), which may come in any order of time.
struct ChromeSpanPairing {
  /// How many recorders may tell of one thread.
  private static let recorderCount = 2

  /// What was told of each thread, by the index of its track and then by the recorder.
  private var stacks: [ChromeSpanStack] = []

  /// Takes a begin or an end. Only ends of the same `stack` close a begin: a thread that two recorders
  /// tell of has one for each.
  @inline(__always)
  mutating func add(
    isBegin: Bool, at time: Timestamp, on track: TrackID, label: LabelID, name: StringID,
    meaning: ChromeName, stack: UInt8 = 0
  ) {
    let position = track.index * Self.recorderCount + Int(stack)
    while position >= stacks.count { stacks.append(ChromeSpanStack()) }
    stacks[position].add(
      ChromeSpanStack.Record(
        time: time, label: label, name: name, isBegin: isBegin, meaning: meaning), on: track)
  }

  /// Adds the spans to `builder`, those that run scripts to `calls` and the ends of what frames are
  /// made of to `flutter`; a begin without an end is an open span, never a long one.
  mutating func finish(
    in builder: inout TraceBuilder, calls: inout ChromeScriptCalls, flutter: inout FlutterEvents
  ) {
    for position in stacks.indices {
      stacks[position].finish(in: &builder, calls: &calls, flutter: &flutter)
      // What is done with makes room for what comes.
      stacks[position] = ChromeSpanStack()
    }
  }
}
