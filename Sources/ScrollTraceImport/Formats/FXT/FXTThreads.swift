internal import ScrollTraceModel

/// The threads of a file, numbered in order of appearance, and their names.
struct FXTThreads {
  private struct Key: Hashable {
    var process: UInt64
    var thread: UInt64
  }

  private(set) var tracks: [TrackID] = []
  private var keys: [Key] = []
  private var indexes: [Key: UInt32] = [:]
  private var last: (key: Key, index: UInt32)?
  private var threadNames: [Key: StringID] = [:]
  private var lonelyNames: [UInt64: StringID] = [:]
  private var processNames: [UInt64: StringID] = [:]

  /// Returns the number of the thread `thread` of `process`, assigning one to a new thread.
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

  func process(of index: UInt32) -> UInt64 { keys[Int(index)].process }

  func numbers(of index: UInt32) -> (process: UInt64, thread: UInt64) {
    (keys[Int(index)].process, keys[Int(index)].thread)
  }

  func known(process: UInt64, thread: UInt64) -> TrackID? {
    indexes[Key(process: process, thread: thread)].map { tracks[Int($0)] }
  }

  func track(of index: UInt32) -> TrackID { tracks[Int(index)] }

  /// Stores the name of a process until its threads are known.
  mutating func setName(_ name: StringID, process: UInt64) { processNames[process] = name }

  /// Stores the name of a thread; `process` is `nil` if the file does not state it.
  mutating func setName(_ name: StringID, thread: UInt64, process: UInt64?) {
    if let process {
      threadNames[Key(process: process, thread: thread)] = name
    } else {
      lonelyNames[thread] = name
    }
  }

  /// Returns the processes of the threads that appeared or were named, by thread number, which is
  /// the only number in some records.
  func processes() -> [UInt64: UInt64] {
    var processes: [UInt64: UInt64] = [:]
    for key in threadNames.keys.sorted(by: { $0.process < $1.process }) {
      processes[key.thread] = key.process
    }
    for key in keys.reversed() { processes[key.thread] = key.process }
    return processes
  }

  /// Applies the names to the threads and processes that appeared.
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
