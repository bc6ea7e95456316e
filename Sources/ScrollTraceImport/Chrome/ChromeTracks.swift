import ScrollTraceModel

/// The processes and threads of a trace, found by their numbers, which may also be texts.
struct ChromeTracks {
  /// A thread's place: its number and process number, and the track of it.
  struct Place {
    var process: UInt64
    var thread: UInt64
    var track: TrackID
  }

  /// What is known of one track.
  struct Entry {
    var process: UInt64
    var thread: UInt64
    var name = ""
    var taskCount = 0
  }

  private static let cacheSize = 64

  private var recent: [Place?] = Array(repeating: nil, count: cacheSize)

  /// The tracks, by their index.
  private(set) var entries: [Entry] = []

  /// The handles of the tracks, in the same order.
  private(set) var tracks: [TrackID] = []

  /// The processes' names, by their number.
  private(set) var processNames: [UInt64: String] = [:]

  /// The track of the event's thread.
  mutating func place(
    of event: ChromeEvent, in bytes: UnsafeRawBufferPointer, _ builder: inout TraceBuilder
  ) -> Place {
    let process = number(event.process, in: bytes)
    let thread = number(event.thread, in: bytes)
    let slot = Int(
      truncatingIfNeeded: (process.value &* 31 &+ thread.value) % UInt64(Self.cacheSize))
    if let hit = recent[slot], hit.process == process.value, hit.thread == thread.value {
      return hit
    }
    let processID = builder.process(process.value)
    let track = builder.track(thread.value, of: processID)
    let place = Place(process: process.value, thread: thread.value, track: track)
    if track.index == entries.count {
      entries.append(Entry(process: process.value, thread: thread.value))
      tracks.append(track)
      if let name = process.name, processNames[process.value] == nil {
        setProcessName(name, of: place, in: &builder)
      }
      if let name = thread.name { setName(name, of: place, in: &builder) }
    }
    recent[slot] = place
    return place
  }

  mutating func setName(_ name: String, of place: Place, in builder: inout TraceBuilder) {
    entries[place.track.index].name = name
    builder.setName(name, of: place.track)
  }

  mutating func setProcessName(_ name: String, of place: Place, in builder: inout TraceBuilder) {
    processNames[place.process] = name
    builder.setName(name, of: builder.process(place.process))
  }

  mutating func countTask(on track: TrackID) {
    entries[track.index].taskCount += 1
  }

  /// A process or thread number; for a text that is no number, a number made of it and the text.
  private func number(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer
  ) -> (value: UInt64, name: String?) {
    let view = JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[field.start..<field.end]))
    guard field.kind == .number || field.kind.isString else { return (0, nil) }
    if let value = view.integer { return (UInt64(bitPattern: value), nil) }
    return (ChromeID.hash(view.rawText ?? view.bytes), view.text)
  }
}
