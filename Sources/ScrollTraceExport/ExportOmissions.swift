/// What a file does not hold of the trace that it was made from, counted.
package struct ExportOmissions: Hashable, Sendable {
  /// A kind of thing that can be left out, or told in other words; the raw value is how one is called.
  package enum Kind: String, Sendable, CaseIterable {
    /// A frame.
    case frame
    /// A frame's number, instead of which another one is written.
    case frameNumber = "frame number"
    /// A refresh interval of a frame.
    case refreshInterval = "refresh interval"
    /// The source's own verdict on a frame.
    case verdict = "verdict of the source"
    /// A hitch that the source lists.
    case listedHitch = "listed hitch"
    /// A span.
    case span
    /// A span that never ended.
    case openSpan = "open span"
    /// A span of no thread's stack.
    case asyncSpan = "asynchronous span"
    /// A mark.
    case mark
    /// A sample of a counter.
    case sample = "counter sample"
    /// What a system counted for a thread up to an instant, or a part of it.
    case threadTime = "thread time"
    /// What a scheduler did with a thread, or a part of it.
    case threadState = "thread state"
    /// A point of a flow.
    case flowPoint = "flow point"
    /// An interaction.
    case interaction
    /// A change of a state.
    case state = "state change"
    /// A thread.
    case thread
    /// An argument of a span or mark.
    case argument
    /// What was lost already.
    case loss
    /// A notice about the trace.
    case notice
    /// A span that crosses others of its thread, which becomes an asynchronous one.
    case crossingSpan = "crossing span"
    /// A number that the source tells itself.
    case aggregate = "number of the source"
    /// A name that is written in another way, since the format has no other.
    case changedName = "changed name"
    /// A name of which only the start is written.
    case cutName = "cut name"
    /// A time of a frame that is written.
    case frameTime = "time of a frame"
    /// The thread of a frame that is written.
    case frameThread = "thread of a frame"
    /// What is known of a surface apart from its frames: its basis, how exact its times are.
    case surfaceProperty = "property of a surface"
  }

  private var counts: [Kind: UInt64] = [:]

  /// Nothing.
  package init() {}

  /// Whether everything is there.
  package var isEmpty: Bool { counts.isEmpty }

  /// How many of `kind` are left out.
  package subscript(kind: Kind) -> UInt64 { counts[kind] ?? 0 }

  /// Counts `count` more of `kind`.
  mutating func add(_ kind: Kind, _ count: Int = 1) {
    if count > 0 { counts[kind, default: 0] += UInt64(count) }
  }

  /// What is left out, in words: `4123 spans, 1 loss`.
  package var text: String {
    Kind.allCases.compactMap { kind in
      counts[kind].map { "\($0) \($0 == 1 ? kind.rawValue : kind.plural)" }
    }.joined(separator: ", ")
  }
}

extension ExportOmissions.Kind {
  /// How several are called.
  private static let plurals: [ExportOmissions.Kind: String] = [
    .listedHitch: "listed hitches", .loss: "losses", .verdict: "verdicts of the source",
    .aggregate: "numbers of the source", .frameTime: "times of frames",
    .frameThread: "threads of frames", .surfaceProperty: "properties of surfaces",
  ]

  fileprivate var plural: String { Self.plurals[self] ?? rawValue + "s" }
}
