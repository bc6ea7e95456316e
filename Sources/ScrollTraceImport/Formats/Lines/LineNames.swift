import ScrollTraceLayout
import ScrollTraceModel

/// The surfaces and threads that lines name, and the labels of what they say.
extension LineRecords {
  /// The index of the surface a line names, `display` where it names none.
  mutating func surface(
    _ row: borrowing LineRow, in builder: inout TraceBuilder
  ) -> Int {
    let bytes = row.has(.surface) ? row.plainBytes(.surface) : .text("display")
    if let bytes, let index = recentSurfaces.find(RecentTexts(bytes)) { return index }
    let name = row.text(.surface) ?? "display"
    let index = surfaceIndices[name] ?? surfaces.count
    if index == surfaces.count {
      let label = builder.label(category: categories.frame, name: builder.string(name))
      surfaces.append(LineSurface(id: builder.surface(name), commitLabel: label))
      surfaceIndices[name] = index
    }
    if let bytes { recentSurfaces.keep(index, for: RecentTexts(bytes)) }
    return index
  }

  /// The track a line names, `main` where it names none.
  mutating func track(
    _ row: borrowing LineRow, in builder: inout TraceBuilder
  ) -> TrackID {
    let bytes = row.has(.thread) ? row.plainBytes(.thread) : .text("main")
    let isPlain = !row.has(.main)
    if isPlain, let bytes, let id = recentTracks.find(RecentTexts(bytes)) { return id }
    let name = row.text(.thread) ?? "main"
    let id: TrackID
    if let known = tracks[name] {
      id = known
    } else {
      let number = (try? row.number(.id)) ?? nil
      id = builder.track(number ?? UInt64(tracks.count + 1), of: process)
      builder.setName(name, of: id)
      if name == "main", row.text(.main) != "false" { builder.setMain(id) }
      tracks[name] = id
    }
    if row.text(.main) == "true" || row.text(.main) == "1" { builder.setMain(id) }
    if isPlain, let bytes { recentTracks.keep(id, for: RecentTexts(bytes)) }
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
