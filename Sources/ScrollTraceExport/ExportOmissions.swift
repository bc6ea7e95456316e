import ScrollTraceModel

/// The parts of a trace that a file omits, counted.
package struct ExportOmissions: Equatable, Sendable {
  /// A kind of object that is omitted or changed. The raw value is its name in messages.
  package enum Kind: String, Sendable, CaseIterable {
    case frame
    case refreshInterval = "refresh interval"
    case listedHitch = "listed hitch"
    case span
    /// A span that never ended.
    case openSpan = "open span"
    /// A span of no thread's stack.
    case asyncSpan = "asynchronous span"
    case mark
    case sample = "counter sample"
    case stackSample = "sampled stack"
    /// What a system counted for a thread up to an instant, or a part of it.
    case threadTime = "thread time"
    case threadState = "thread state"
    case flowPoint = "flow point"
    case thread
    case argument
    case loss
    case notice
    /// A span that overlaps others of its thread, next to which viewers show it.
    case crossingSpan = "overlapping span"
    /// A name that is written differently because of the format.
    case changedName = "changed name"
    /// A property of a surface: that its hitches are listed.
    case surfaceProperty = "surface property"
  }

  private var counts: [Kind: UInt64] = [:]

  package init() {}

  package var isEmpty: Bool { counts.isEmpty }

  /// The number of omitted objects of a kind.
  package subscript(kind: Kind) -> UInt64 { counts[kind] ?? 0 }

  mutating func add(_ kind: Kind, _ count: Int = 1) {
    if count > 0 { counts[kind, default: 0] += UInt64(count) }
  }

  /// Counts what a format without it omits.
  mutating func addSurfaces(of trace: Trace) {
    for surface in trace.surfaces {
      add(.listedHitch, surface.listedHitches.count)
      add(.surfaceProperty, surface.basis == .hitchList ? 1 : 0)
    }
  }

  /// Counts what only recordings contain.
  mutating func addFacts(about trace: Trace) {
    add(.stackSample, trace.samples.reduce(0) { $0 + $1.count })
    add(.loss, trace.losses.count)
    add(.notice, trace.notices.count { $0.isOfSource })
  }

  /// The omissions in words: `4123 spans, 1 loss`.
  package var text: String {
    Kind.allCases.compactMap { kind in
      counts[kind].map {
        "\($0) \($0 == 1 ? kind.rawValue : Self.plurals[kind] ?? kind.rawValue + "s")"
      }
    }.joined(separator: ", ")
  }

  private static let plurals: [Kind: String] = [
    .listedHitch: "listed hitches", .loss: "losses", .surfaceProperty: "surface properties",
  ]
}
