import ScrollTraceModel

/// The processes and threads of a trace by their numbers, which can also be strings.
struct ChromeTracks {
  /// The thread of an event: its number, its process number, and its track.
  struct Thread {
    var process: UInt64
    var number: UInt64
    var track: TrackID
  }

  struct Entry {
    var process: UInt64
    var thread: UInt64
    var name = ""
    var taskCount = 0
  }

  /// The strings of an event's numbers, none of them empty.
  private struct Numbers: Equatable, RecentKey {
    typealias Kept = Numbers

    let process: UInt64
    let thread: UInt64

    var mark: UInt64 { process &* 31 ^ thread }
  }

  private var recent = RecentValues<Numbers, Thread>(count: 256)

  /// What is known of each track.
  private(set) var entries: [Entry] = []

  private(set) var processNames: [UInt64: String] = [:]

  mutating func thread(
    of event: ChromeEvent, in bytes: UnsafeRawBufferPointer, _ builder: inout TraceBuilder
  ) -> Thread {
    let numbers = Numbers(
      process: Self.shortText(event.process, in: bytes),
      thread: Self.shortText(event.thread, in: bytes))
    guard numbers.process != 0, numbers.thread != 0 else {
      return newThread(of: event, in: bytes, &builder)
    }
    if let thread = recent.find(numbers) { return thread }
    let thread = newThread(of: event, in: bytes, &builder)
    recent.keep(thread, for: numbers)
    return thread
  }

  private mutating func newThread(
    of event: ChromeEvent, in bytes: UnsafeRawBufferPointer, _ builder: inout TraceBuilder
  ) -> Thread {
    let process = number(event.process, in: bytes)
    // An event without a thread belongs to its process's first thread.
    let numbered =
      event.thread.kind == .missing
      ? (value: process.value, name: nil) : number(event.thread, in: bytes)
    let count = entries.count
    let thread = thread(process: process.value, number: numbered.value, &builder)
    if entries.count > count {
      if let name = process.name, processNames[process.value] == nil {
        setProcessName(name, of: thread, in: &builder)
      }
      if let name = numbered.name { setName(name, of: thread, in: &builder) }
    }
    return thread
  }

  mutating func thread(process: UInt64, number: UInt64, _ builder: inout TraceBuilder) -> Thread {
    let track = builder.track(number, of: builder.process(process))
    // Samples make tracks of their own before the first event.
    while entries.count <= track.index {
      let next = TrackID(index: entries.count)
      let numbers = builder.systemIDs(of: next)
      entries.append(Entry(process: numbers.process, thread: numbers.thread))
    }
    return Thread(process: process, number: number, track: track)
  }

  /// Returns the bytes of a number as one word, or 0 if they are not a number of one to seven
  /// bytes.
  @inline(__always)
  private static func shortText(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer
  ) -> UInt64 {
    let count = field.end - field.start
    guard field.kind == .number, count < 8, field.start + 8 <= bytes.count else { return 0 }
    let word = bytes.loadUnaligned(fromByteOffset: field.start, as: UInt64.self)
    return UInt64(littleEndian: word) & (1 << UInt64(count * 8) &- 1)
  }

  mutating func setName(_ name: String, of thread: Thread, in builder: inout TraceBuilder) {
    entries[thread.track.index].name = name
    builder.setName(name, of: thread.track)
  }

  mutating func setProcessName(_ name: String, of thread: Thread, in builder: inout TraceBuilder) {
    processNames[thread.process] = name
    builder.setName(name, of: builder.process(thread.process))
  }

  /// The tracks of main threads, whose number is their process's, by that number.
  var mainTracks: [UInt64: TrackID] {
    var found: [UInt64: TrackID] = [:]
    for (index, entry) in entries.enumerated() where entry.process == entry.thread {
      found[entry.process] = TrackID(index: index)
    }
    return found
  }

  /// The processes of the threads whose number no second process has.
  var owners: [UInt64: UInt64] {
    var (found, repeated) = ([UInt64: UInt64](), Set<UInt64>())
    for entry in entries where found.updateValue(entry.process, forKey: entry.thread) != nil {
      repeated.insert(entry.thread)
    }
    return found.filter { !repeated.contains($0.key) }
  }

  mutating func countTask(on track: TrackID) { entries[track.index].taskCount += 1 }

  /// Returns a process or thread number; a non-numeric string gets a derived number and becomes the
  /// name.
  private func number(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer
  ) -> (value: UInt64, name: String?) {
    let view = field.view(in: bytes)
    guard field.kind == .number || field.kind.isString else { return (0, nil) }
    if let value = view.integer { return (UInt64(bitPattern: value), nil) }
    return (ChromeID.hash(view.rawText ?? view.bytes), view.text)
  }
}
