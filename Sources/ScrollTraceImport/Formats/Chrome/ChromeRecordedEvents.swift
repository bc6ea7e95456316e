internal import ScrollTraceLayout
import ScrollTraceModel

/// Reads frames, surfaces, interactions and states that a host writes as events of our own categories, as
/// the exporter of Chrome's JSON format does. Their times are in microseconds, as all of the format.
struct ChromeRecordedEvents {
  /// An interaction of which the start was read.
  private struct Begun {
    var kind: String
    var name: String
    var start: Timestamp
    /// The end, or `nil` as long as it lasts.
    var end: Timestamp?
    /// The name of the surface that moves, or `nil` for all.
    var surface: StringID?
  }

  private static let keys = Dictionary(
    Vocabulary.Key.allCases.map { ($0.description, $0) }, uniquingKeysWith: { first, _ in first })

  private static let surfaceCategory = Vocabulary.Category.surface.description

  private var surfaces: [StringID: SurfaceID] = [:]
  private var interactions: [Begun] = []
  /// A process that makes frames.
  private(set) var process: UInt64?

  // MARK: - Frames

  /// Adds a frame, all of which stands in the arguments of its begin; returns `false` for an event without
  /// its times, such as the span of its commit.
  mutating func addFrame(_ known: ChromeKnownEvent, to builder: inout TraceBuilder) -> Bool {
    var frame = Frame(id: 0)
    frame.track = known.thread.track
    var (hasID, isInvalid) = (false, false)
    known.arguments.forEachMember { key, value in
      let time = JSONNumber.nanoseconds(fromMicroseconds: value.rawText ?? value.bytes)
        .flatMap(Timestamp.init(nanoseconds:))
      let meaning = Self.keys[String(decoding: key, as: UTF8.self)]
      switch meaning {
      case .frame:
        if case .unsigned(let id) = JSONNumber.argument(value.rawText ?? value.bytes) {
          (frame.id, hasID) = (id, true)
        }
      case .outcome:
        let said = Vocabulary.Outcome.meanings.first { value.isText($0.word) }
        frame.outcome = said?.outcome ?? .unknown
        frame.wasOnTime = said?.wasOnTime ?? false
      case .label: frame.sourceLabel = value.text.map { builder.string($0) }
      default: if frame.set(meaning, to: time), time == nil { isInvalid = true }
      }
    }
    guard hasID, frame.time != nil || frame.presented != nil else { return false }
    guard !isInvalid else {
      builder.countLoss(.invalidValue)
      return true
    }
    process = process ?? known.thread.process
    builder.updateFrame(frame, of: surface(of: known, in: &builder))
    return true
  }

  private mutating func surface(
    of known: ChromeKnownEvent, in builder: inout TraceBuilder
  ) -> SurfaceID {
    let surface = surfaces[known.name] ?? builder.surface(builder.name(of: known.name))
    surfaces[known.name] = surface
    return surface
  }

  /// Sets the properties of a surface that an instant states; returns `false` for one of another category.
  mutating func addSurface(_ known: ChromeKnownEvent, to builder: inout TraceBuilder) -> Bool {
    guard builder.category(of: known.label) == Self.surfaceCategory else { return false }
    let surface = surface(of: known, in: &builder)
    known.arguments.forEachMember { key, value in
      let property = LineDetail(rawValue: String(decoding: key, as: UTF8.self))
      let text = String(decoding: value.rawText ?? value.bytes, as: UTF8.self)
      if !builder.set(property, to: text, of: surface) { builder.countLoss(.invalidValue) }
    }
    return true
  }

  // MARK: - Interactions and states

  /// Keeps the start of an interaction and returns its position.
  mutating func begin(_ known: ChromeKnownEvent, in builder: inout TraceBuilder) -> Int32 {
    let title = builder.name(of: known.name)
    let kind = known.arguments.member("kind")?.text
    let name = known.arguments.member("name")?.text
    let surface = known.arguments.member("surface")?.text
    interactions.append(
      Begun(
        kind: kind ?? title, name: kind == nil ? name ?? "" : title, start: known.time,
        surface: surface.map { builder.string($0) }))
    return Int32(truncatingIfNeeded: interactions.count - 1)
  }

  mutating func end(_ interaction: Int32, at time: Timestamp) {
    interactions[Int(interaction)].end = time
  }

  /// Adds the value of a state that a span shows until the next one; returns `false` for a span without it.
  func addSpanOfState(_ known: ChromeKnownEvent, to builder: inout TraceBuilder) -> Bool {
    guard known.arguments.member("key") != nil, known.arguments.member("value") != nil else {
      return false
    }
    addState(known, to: &builder)
    return true
  }

  func addState(_ known: ChromeKnownEvent, to builder: inout TraceBuilder) {
    let key = known.arguments.member("key")?.text ?? builder.name(of: known.name)
    builder.addState(
      StateChange(time: known.time, key: key, value: known.arguments.member("value")?.text))
  }

  /// Adds the interactions, each of the surface that it names, if that has frames.
  func finish(in builder: inout TraceBuilder) {
    for interaction in interactions {
      builder.addInteraction(
        Interaction(
          kind: interaction.kind, name: interaction.name, start: interaction.start,
          end: interaction.end, surface: interaction.surface.flatMap { surfaces[$0] }))
    }
  }
}
