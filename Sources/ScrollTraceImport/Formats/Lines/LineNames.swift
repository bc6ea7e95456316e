import ScrollTraceLayout
import ScrollTraceModel

/// The surfaces and threads that lines name, and the labels of what they say.
extension LineRecords {
  /// The index of the surface a line names, `display` where it names none.
  mutating func surface(
    _ row: borrowing LineRow, in builder: inout TraceBuilder
  ) -> Int {
    let bytes = row.has(.surface) ? row.plainBytes(.surface) : .text("display")
    if let bytes, let index = recentSurfaces.find(bytes) { return index }
    let name = row.text(.surface) ?? "display"
    let index = surfaceIndices[name] ?? surfaces.count
    if index == surfaces.count {
      let label = builder.label(category: categories.frame, name: builder.string(name))
      surfaces.append(LineSurface(id: builder.surface(name), commitLabel: label))
      surfaceIndices[name] = index
    }
    if let bytes { recentSurfaces.keep(index, for: bytes) }
    return index
  }

  /// The track a line names, `main` where it names none.
  mutating func track(
    _ row: borrowing LineRow, in builder: inout TraceBuilder
  ) -> TrackID {
    let bytes = row.has(.thread) ? row.plainBytes(.thread) : .text("main")
    let isPlain = !row.has(.main)
    if isPlain, let bytes, let id = recentTracks.find(bytes) { return id }
    let name = row.text(.thread) ?? "main"
    let id = track(
      named: name, number: (try? row.number(.id)) ?? nil, isMain: row.text(.main) != "false",
      in: &builder)
    if row.text(.main) == "true" || row.text(.main) == "1" { builder.setMain(id) }
    if isPlain, let bytes { recentTracks.keep(id, for: bytes) }
    return id
  }

  /// The track of a name, which is made if it is new.
  ///
  /// - Parameter isMain: Whether one called `main` is the main thread.
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

  /// Category and name; the host's own where no category is named.
  mutating func label(
    _ name: LineKey, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> LabelID {
    let hasCategory = row.has(.category)
    guard let bytes = row.plainBytes(name),
      let category = hasCategory ? row.plainBytes(.category) : .text(Vocabulary.Category.work)
    else { return newLabel(name, row, &builder) }
    if let label = recentLabels.find(bytes, category) { return label }
    let label = newLabel(name, row, &builder)
    recentLabels.keep(label, for: bytes, category)
    return label
  }

  private func newLabel(
    _ name: LineKey, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> LabelID {
    let category = row.has(.category) ? string(.category, row, &builder) : categories.work
    return builder.label(category: category, name: string(name, row, &builder))
  }
}

/// A surface that lines name.
struct LineSurface {
  var id: SurfaceID
  /// The label of the spans that its commits are.
  var commitLabel: LabelID
  /// How many frames it has, which numbers those without a number.
  var frameCount: UInt64 = 0
}

extension UnsafeRawBufferPointer {
  /// The bytes of a text that is in the program.
  @inline(__always)
  fileprivate static func text(_ text: StaticString) -> UnsafeRawBufferPointer? {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}

/// What was found for the names that lines repeat, by their bytes, so that nothing is looked up
/// again: some hundred names or pairs of names, and wherever two meet the later one.
struct RecentNames<Found>: ~Copyable {
  private struct Entry {
    var start = 0
    var middle = 0
    var end = 0
    var found: Found?
  }

  /// The most bytes of all names; then it begins anew.
  private static var maximumBytes: Int { 1 << 16 }
  private static var entryCount: Int { 256 }

  private var entries = [Entry](repeating: Entry(), count: entryCount)
  private var bytes: [UInt8] = []

  /// What was kept for a name, or for the pair of a name and a second one.
  @inline(__always)
  func find(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .empty
  ) -> Found? {
    let entry = entries[Self.place(of: first, second)]
    guard let found = entry.found, entry.middle &- entry.start == first.count,
      entry.end &- entry.middle == second.count
    else { return nil }
    let isSame = bytes.withUnsafeBytes { bytes in
      bytes.has(first, at: entry.start) && bytes.has(second, at: entry.middle)
    }
    return isSame ? found : nil
  }

  /// Keeps what was found.
  mutating func keep(
    _ found: Found, for first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .empty
  ) {
    let count = first.count + second.count
    guard count <= Self.maximumBytes else { return }
    if bytes.count + count > Self.maximumBytes { self = Self() }
    let start = bytes.count
    bytes += first
    bytes += second
    entries[Self.place(of: first, second)] = Entry(
      start: start, middle: start + first.count, end: bytes.count, found: found)
  }

  @inline(__always)
  private static func place(
    of first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
  ) -> Int {
    let mixed = (first.mark ^ second.mark &* 31) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 56)
  }
}

extension UnsafeRawBufferPointer {
  /// No bytes.
  static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  /// A number made of the length and of the first and last bytes.
  @inline(__always)
  fileprivate var mark: UInt64 {
    guard let start = baseAddress else { return 0 }
    guard count >= 8 else { return LineBytes.shortWord(start, count: count) &+ UInt64(count) }
    let first = LineBytes.word(start)
    let last = LineBytes.word(start + (count &- 8))
    return (first &* 0x2127_599B_F432_5C37) ^ last &+ UInt64(truncatingIfNeeded: count)
  }

  /// Whether `bytes` stand at `place`.
  @inline(__always)
  fileprivate func has(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard let base = baseAddress, let other = bytes.baseAddress, !bytes.isEmpty else {
      return bytes.isEmpty
    }
    return LineBytes.areSame(base + place, other, count: bytes.count)
  }
}
