import ScrollTraceLayout
import ScrollTraceModel

/// The objects of the vocabulary.
extension RecordingWriter {
  private typealias Arguments = [(key: FXTWriter.Name, value: FXTWriter.Value)]

  /// Writes the trace's properties, and everything except spans, marks and samples.
  mutating func writeVocabulary() {
    chunks.begin(.init(flags: RecordingLayout.ChunkFlag.durable))
    for process in trace.processes { chunks.add(process) }
    for (id, track) in trace.numberedTracks { chunks.add(id, name: track.name) }
    writeOrigin()
    for loss in trace.losses { write(loss) }
    for notice in trace.notices { write(notice) }
    for surface in trace.surfaces { write(surface) }
    for interaction in trace.interactions { write(interaction) }
    for change in trace.states { write(change) }
  }

  // MARK: - The trace

  private mutating func writeOrigin() {
    typealias Key = Vocabulary.Key
    var arguments: Arguments = []
    add(trace.range.start, Key.begin, to: &arguments)
    add(trace.range.end, Key.end, to: &arguments)
    if let wasClosed = trace.source.wasClosed {
      arguments.append((word(Key.closed), .bool(wasClosed)))
    }
    if !trace.source.hasKnownLength { arguments.append((word(Key.tellsLength), .bool(false))) }
    if let weight = trace.source.weight { arguments.append((word(Key.weight), .uint64(weight))) }
    if let ring = trace.source.ring {
      arguments.append((word(Key.ringChunks), .uint64(ring.chunkCount)))
      arguments.append((word(Key.overwrittenChunks), .uint64(ring.overwrittenChunkCount)))
      add(ring.start, Key.keptSince, to: &arguments)
    }
    if let cost = trace.source.recorderCost {
      arguments.append((word(Key.recordCost), .uint64(cost.picosecondsPerRecord)))
      arguments.append((word(Key.records), .uint64(cost.recordCount)))
      arguments.append((word(Key.mainRecords), .uint64(cost.mainRecordCount)))
      if cost.picosecondsPerReading > 0 {
        arguments.append((word(Key.readingCost), .uint64(cost.picosecondsPerReading)))
        arguments.append((word(Key.readings), .uint64(cost.readingCount)))
        arguments.append((word(Key.mainReadings), .uint64(cost.mainReadingCount)))
      }
      if let sampling = cost.sampling {
        arguments.append((word(Key.sampleSignals), .uint64(sampling.signalCount)))
        arguments.append((word(Key.sampleTime), .uint64(sampling.nanoseconds)))
        arguments.append((word(Key.samplerTime), .uint64(sampling.samplerNanoseconds)))
      }
    }
    add(
      .instant, Vocabulary.Category.origin, trace.source.format, at: trace.range.start, arguments,
      as: .notice)
  }

  private mutating func write(_ loss: Loss) {
    var arguments: Arguments = [(word(Vocabulary.Key.count), .uint64(loss.count))]
    if let offset = loss.offset {
      arguments.append((word(Vocabulary.Key.offset), .uint64(offset)))
    }
    add(
      .instant, Vocabulary.Category.loss, loss.reason.rawValue, at: trace.range.start, arguments,
      as: .loss)
  }

  private mutating func write(_ notice: Notice) {
    typealias Word = Vocabulary.Notice
    let name: StaticString
    var arguments: Arguments = []
    switch notice {
    case .notClosed: name = Word.notClosed
    case .noMainTrack: name = Word.noMainTrack
    case .noFrames: name = Word.noFrames
    case .keepsLastPart(let length, let chunks):
      name = Word.keepsLastPart
      add(length.map { .zero + $0 }, Vocabulary.Key.duration, to: &arguments)
      arguments.append((word(Vocabulary.Key.count), .uint64(chunks)))
    case .presentedBeforeStart(let surface, let count):
      name = Word.presentedBeforeBegin
      arguments = counted(count, surface)
    case .repeatedFrameNumbers(let surface, let count):
      name = Word.repeatedFrameNumbers
      arguments = counted(count, surface)
    case .unfinishedSpans(let count):
      name = Word.unfinishedSpans
      arguments = counted(count, nil)
    case .implausibleThreadTimes, .overlappingThreadStates, .tooManyThreadStates,
      .commitsOnOtherThread:
      // The copy has the same problem, so its reader finds it again.
      return
    case .source(let text):
      name = Word.source
      arguments = [(word(Vocabulary.Key.text), .string(chunks.names.name(text)))]
    }
    add(
      .instant, Vocabulary.Category.notice, name.description, at: trace.range.start, arguments,
      as: .notice)
  }

  private mutating func counted(_ count: Int, _ surface: String?) -> Arguments {
    let number = UInt64(exactly: count) ?? 0
    var arguments: Arguments = [(word(Vocabulary.Key.count), .uint64(number))]
    if let surface {
      arguments.append((word(Vocabulary.Key.surface), .string(chunks.names.name(surface))))
    }
    return arguments
  }

  // MARK: - Surfaces

  private mutating func write(_ surface: Surface) {
    typealias Key = Vocabulary.Key
    var arguments: Arguments = [
      (word(Key.basis), .string(chunks.names.name(surface.basis.rawValue)))
    ]
    if surface.presentationTolerance > .zero {
      add(.zero + surface.presentationTolerance, Key.tolerance, to: &arguments)
    }
    if surface.timesLieOnRefreshGrid { arguments.append((word(Key.grid), .bool(true))) }
    if surface.isDisplayStream { arguments.append((word(Key.display), .bool(true))) }
    if surface.numbersEveryFrame { arguments.append((word(Key.numbered), .bool(true))) }
    add(
      .instant, Vocabulary.Category.surface, surface.name, at: trace.range.start, arguments,
      as: .frame)
    for index in 0..<surface.frames.count { write(surface.frames[index], of: surface) }
    for hitch in surface.listedHitches { write(hitch, of: surface) }
  }

  private mutating func write(_ frame: Frame, of surface: Surface) {
    typealias Key = Vocabulary.Key
    var arguments: Arguments = [(word(Key.frame), .uint64(frame.id))]
    add(frame.start, Key.begin, to: &arguments)
    add(frame.commitStart, Key.commitStart, to: &arguments)
    add(frame.commitEnd, Key.commitEnd, to: &arguments)
    add(frame.deadline, Key.deadline, to: &arguments)
    add(frame.target, Key.target, to: &arguments)
    add(frame.presented, Key.presented, to: &arguments)
    add(frame.refreshInterval.map { .zero + $0 }, Key.interval, to: &arguments)
    if let outcome = frame.outcomeWord {
      arguments.append((word(Key.outcome), .string(word(outcome))))
    }
    if frame.track != nil { arguments.append((word(Key.commitThread), .bool(true))) }
    if let label = frame.sourceLabel {
      arguments.append((word(Key.label), .string(chunks.names.name(label))))
    }
    add(
      .instant, Vocabulary.Category.frame, surface.name, on: frame.track,
      at: frame.place ?? trace.range.start, arguments, as: .frame)
  }

  private mutating func write(_ hitch: ListedHitch, of surface: Surface) {
    typealias Key = Vocabulary.Key
    var arguments: Arguments = []
    add(.zero + hitch.length, Key.duration, to: &arguments)
    add(hitch.refreshInterval.map { .zero + $0 }, Key.interval, to: &arguments)
    if let label = hitch.sourceLabel {
      arguments.append((word(Key.label), .string(chunks.names.name(label))))
    }
    add(
      .instant, Vocabulary.Category.hitch, surface.name, at: hitch.start, arguments,
      as: .listedHitch)
  }

  // MARK: - Interactions and states

  private mutating func write(_ interaction: Interaction) {
    let id = makeID()
    var arguments: Arguments = []
    if let surface = interaction.surface {
      let name = chunks.names.name(trace.surfaces[surface.index].name)
      arguments.append((word(Vocabulary.Key.surface), .string(name)))
    }
    if !interaction.name.isEmpty {
      let name = chunks.names.name(interaction.name)
      arguments.append((word(Vocabulary.Key.name), .string(name)))
    }
    let category = Vocabulary.Category.interaction
    add(
      .asyncBegin(id: id), category, interaction.kind, at: interaction.start, arguments,
      as: .interaction)
    guard let end = interaction.end else { return }
    add(.asyncEnd(id: id), category, interaction.kind, at: end, [], as: .interaction)
  }

  private mutating func write(_ change: StateChange) {
    var arguments: Arguments = [
      (word(Vocabulary.Key.key), .string(chunks.names.name(change.key)))
    ]
    if let value = change.value {
      arguments.append((word(Vocabulary.Key.value), .string(chunks.names.name(value))))
    }
    add(
      .instant, Vocabulary.Category.state, change.key, at: change.time, arguments, as: .state)
  }

  // MARK: - Events

  private mutating func word(_ word: StaticString) -> FXTWriter.Name { chunks.names.name(word) }

  private mutating func word(_ key: Vocabulary.Key) -> FXTWriter.Name { chunks.names.name(key) }

  private mutating func add(
    _ time: Timestamp?, _ key: Vocabulary.Key, to arguments: inout Arguments
  ) {
    if let time { arguments.append((word(key), .uint64(UInt64(time.nanoseconds)))) }
  }

  private mutating func add(
    _ event: FXTWriter.Event, _ category: StaticString, _ name: String, on track: TrackID? = nil,
    at time: Timestamp, _ arguments: Arguments, as kind: ExportOmissions.Kind
  ) {
    chunks.add(
      .init(
        event: event, track: track ?? anyTrack, category: word(category),
        name: chunks.names.name(name), time: time, arguments: arguments), as: kind)
  }
}
