internal import ScrollTraceModel

/// The threads of a file, numbered as they appear, and the names given to them.
struct FXTThreads {
  private struct Key: Hashable {
    var process: UInt64
    var thread: UInt64
  }

  /// Stands for no thread: a file made from a trace without any has records of none.
  static let nobody = UInt32.max

  private(set) var tracks: [TrackID] = []
  private var keys: [Key] = []
  private var indexes: [Key: UInt32] = [:]
  private var last: (key: Key, index: UInt32)?
  private var threadNames: [Key: StringID] = [:]
  private var lonelyNames: [UInt64: StringID] = [:]
  private var processNames: [UInt64: StringID] = [:]

  /// The number of the thread `thread` of `process`, made where it is new.
  mutating func index(
    process: UInt64, thread: UInt64, in builder: inout TraceBuilder
  ) -> UInt32 {
    let key = Key(process: process, thread: thread)
    if let last, last.key == key { return last.index }
    let index: UInt32
    if let known = indexes[key] {
      index = known
    } else {
      index = UInt32(truncatingIfNeeded: tracks.count)
      tracks.append(builder.track(thread, of: builder.process(process)))
      keys.append(key)
      indexes[key] = index
    }
    last = (key, index)
    return index
  }

  /// The process of the thread number `index`.
  func process(of index: UInt32) -> UInt64 {
    index == Self.nobody ? 0 : keys[Int(index)].process
  }

  /// The system's numbers of the thread number `index`.
  func numbers(of index: UInt32) -> (process: UInt64, thread: UInt64) {
    guard index != Self.nobody else { return (0, 0) }
    return (keys[Int(index)].process, keys[Int(index)].thread)
  }

  /// The track of a thread, or `nil` if it never appeared.
  func known(process: UInt64, thread: UInt64) -> TrackID? {
    indexes[Key(process: process, thread: thread)].map { tracks[Int($0)] }
  }

  /// The track of the thread number `index`; one is made where nobody stands for it.
  mutating func track(of index: UInt32, in builder: inout TraceBuilder) -> TrackID {
    guard index == Self.nobody else { return tracks[Int(index)] }
    return tracks[Int(self.index(process: 0, thread: 0, in: &builder))]
  }

  /// Keeps the name of a process for when its threads are known.
  mutating func setName(_ name: StringID, process: UInt64) { processNames[process] = name }

  /// Keeps the name of a thread; `process` is `nil` where the file does not say it.
  mutating func setName(_ name: StringID, thread: UInt64, process: UInt64?) {
    if let process {
      threadNames[Key(process: process, thread: thread)] = name
    } else {
      lonelyNames[thread] = name
    }
  }

  /// The processes of the threads that appeared or were named, by the number of the thread alone, which in
  /// some records is all there is.
  func processes() -> [UInt64: UInt64] {
    var processes: [UInt64: UInt64] = [:]
    for key in threadNames.keys.sorted(by: { $0.process < $1.process }) {
      processes[key.thread] = key.process
    }
    for key in keys.reversed() { processes[key.thread] = key.process }
    return processes
  }

  /// Gives the names to the threads and processes that appeared.
  func applyNames(to builder: inout TraceBuilder) {
    for (index, key) in keys.enumerated() {
      if let name = threadNames[key] ?? lonelyNames[key.thread] {
        builder.setName(builder.name(of: name), of: tracks[index])
      }
      if let name = processNames[key.process] {
        builder.setName(builder.name(of: name), of: builder.process(key.process))
      }
    }
  }
}
