import ScrollTraceLayout
import ScrollTraceModel

/// The surfaces, threads and labels named in lines.
extension LineRecords {
  /// Returns the index of the line's surface, `display` by default.
  mutating func surface(_ row: borrowing LineRow, in builder: inout TraceBuilder) -> Int {
    let bytes = row.has(.surface) ? row.plainBytes(.surface) : .text("display")
    if let bytes, let index = recentSurfaces.find(RecentTexts(bytes)) { return index }
    let name = row.text(.surface) ?? "display"
    let index = surfaceIndices[name] ?? surfaces.count
    if index == surfaces.count {
      let label = builder.label(category: categories.frame, name: builder.string(name))
      // Nobody knows whether a frame lost before the first one of a further surface was its own.
      let gaps = LineGaps(after: surfaces.isEmpty ? LostLines() : lost)
      surfaces.append(LineSurface(id: builder.surface(name), commitLabel: label, gaps: gaps))
      surfaceIndices[name] = index
    }
    if let bytes { recentSurfaces.keep(index, for: RecentTexts(bytes)) }
    return index
  }

  /// Returns the line's track, `main` by default.
  mutating func track(_ row: borrowing LineRow, in builder: inout TraceBuilder) -> TrackID {
    let bytes = row.has(.thread) ? row.plainBytes(.thread) : .text("main")
    let isPlain = !row.has(.main)
    if isPlain, let bytes, let id = recentTracks.find(RecentTexts(bytes)) { return id }
    let name = row.text(.thread) ?? "main"
    let id = track(
      named: name, number: (try? row.number(.id)) ?? nil, isMain: row.text(.main) != "false",
      in: &builder)
    if row.text(.main) == "true" || row.text(.main) == "1" { builder.setMain(id) }
    if isPlain, let bytes { recentTracks.keep(id, for: RecentTexts(bytes)) }
    return id
  }

  /// Returns the track with a name, creating it if necessary.
  ///
  /// - Parameter isMain: Whether a track named `main` is the main thread.
  mutating func track(
    named name: String, number: UInt64? = nil, isMain: Bool = true, in builder: inout TraceBuilder
  ) -> TrackID {
    if let known = tracks[name] { return known }
    let id = builder.track(number ?? UInt64(tracks.count + 1), of: process)
    builder.setName(name, of: id)
    if name == "main", isMain { builder.setMain(id) }
    tracks[name] = id
    return id
  }

  /// Returns the label of the category and name; the default category is the host's own.
  mutating func label(
    _ name: LineKey, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> LabelID {
    let hasCategory = row.has(.category)
    guard let bytes = row.plainBytes(name),
      let category = hasCategory ? row.plainBytes(.category) : .text(Vocabulary.Category.work)
    else { return newLabel(name, row, &builder) }
    let key = RecentTexts(bytes, category)
    if let label = recentLabels.find(key) { return label }
    let label = newLabel(name, row, &builder)
    recentLabels.keep(label, for: key)
    return label
  }

  private func newLabel(
    _ name: LineKey, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> LabelID {
    let category = row.has(.category) ? string(.category, row, &builder) : categories.work
    return builder.label(category: category, name: string(name, row, &builder))
  }
}

struct LineSurface {
  var id: SurfaceID
  var commitLabel: LabelID
  /// The number of frames, used to number frames without a number.
  var frameCount: UInt64 = 0
  var gaps: LineGaps
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate static func text(_ text: StaticString) -> UnsafeRawBufferPointer? {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}

/// The thread times and thread states in lines.
extension LineRecords {
  /// Adds a system's counts for a thread up to a time.
  mutating func addThreadTime(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    guard let time = try time(.at, or: .begin, row) else {
      throw LineFault("the thread's time has no timestamp", at: 0)
    }
    var sample = ThreadTimeSample()
    for extra in row.extras where extra.value.kind != .null {
      switch word(of: extra, in: row) {
      case .cpu: sample.cpu = try duration(extra, row)
      case .ready: sample.ready = try duration(extra, row)
      case .preemptions: sample.preemptions = try number(extra, row)
      case .waits: sample.waits = try number(extra, row)
      case .faults: sample.faults = try number(extra, row)
      case .diskFaults: sample.diskFaults = try number(extra, row)
      default: break
      }
    }
    guard !sample.isEmpty else { throw LineFault("the thread's time is empty", at: 0) }
    let name = row.text(.threadTime) ?? ""
    builder.addThreadTime(sample, on: track(named: name, in: &builder), at: time)
  }

  /// Adds a thread state between two times.
  mutating func addThreadState(
    _ row: borrowing LineRow, to builder: inout TraceBuilder
  ) throws(LineFault) {
    typealias Word = Vocabulary.Thread
    let state: ThreadState
    switch row.text(.threadState) {
    case Word.running.description: state = .running
    case Word.ready.description: state = .ready
    case Word.blocked.description: state = .blocked
    default:
      throw LineFault("the state must be running, ready or blocked", at: row[.threadState].start)
    }
    let (start, end) = try range(of: "the thread's state", row)
    guard let end else { throw LineFault("the thread's state has neither end nor duration", at: 0) }
    var (core, waker) = (Int16?.none, TrackID?.none)
    for extra in row.extras where extra.value.kind != .null {
      switch word(of: extra, in: row) {
      case .core where state == .running: core = Int16(exactly: try number(extra, row))
      case .waker where state == .ready: waker = track(named: row.text(extra.value), in: &builder)
      default: break
      }
    }
    builder.addThreadState(
      state, on: track(row, in: &builder), from: start, to: end, core: core, waker: waker)
  }

  private func word(of extra: LineRow.Extra, in row: borrowing LineRow) -> Vocabulary.Key? {
    Self.words[key(of: extra, in: row)]
  }

  /// The keys by their spelling; the initializer of a key compares it with each.
  private static let words = Dictionary(
    uniqueKeysWithValues: Vocabulary.Key.allCases.map { ($0.stringValue, $0) })

  /// Returns a duration in the unit of the line's times.
  private func duration(
    _ extra: LineRow.Extra, _ row: borrowing LineRow
  ) throws(LineFault) -> Int64 {
    let value = extra.value
    guard value.kind == .number || value.kind == .text,
      let length = JSONNumber.scaled(
        row.bytes(of: value), timesTenTo: row.powers[LineKey.at.rawValue]), length >= 0
    else { throw LineFault("a thread's time is not a time", at: value.start) }
    return length
  }

  private func number(_ extra: LineRow.Extra, _ row: borrowing LineRow) throws(LineFault) -> Int64 {
    let value = extra.value
    guard value.kind == .number || value.kind == .text,
      let number = JSONNumber.integer(row.bytes(of: value)), number >= 0
    else { throw LineFault("a count is not a whole number of at least 0", at: value.start) }
    return number
  }
}
