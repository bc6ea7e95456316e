package import ScrollTraceRecorder

/// One of the recordings in `SampleTraces`: how it is made, and what an analysis has to find in it.
package struct SampleTrace: Sendable {
  package enum Fate: Sendable {
    case finished
    /// The process dies so long after the script began; the file stays as it lies on the disk.
    case killed(after: Nanoseconds)
    /// It is finished, and later damaged on the disk.
    case damaged
  }

  /// The file's name, without its ending.
  package let name: String
  package let configuration: EngineConfiguration
  package let script: ScrollScript
  package var fate = Fate.finished
  /// What an analysis has to find, where that was worked out by hand; else it has to find what the
  /// engine counted.
  package var expectation: SampleExpectation?

  /// Makes the recording anew: the same bytes on every machine.
  ///
  /// - Parameter scratch: A file that does not exist, for a recording that is cut short; it is
  ///   removed again.
  package func bytes(scratch: String) throws(RecorderError) -> [UInt8] {
    switch fate {
    case .finished: try play().bytes
    case .damaged: try Self.damage(play().bytes)
    case .killed(let time): try bytesWhenKilled(after: time, scratch: scratch)
    }
  }

  /// Plays the script to its end: what the engine counted, and the recording.
  package func play() throws(RecorderError) -> (counters: EngineCounters, bytes: [UInt8]) {
    let clock = VirtualClock()
    let recorder = try TraceRecorder(to: .memory, options: .virtual(clock.recorderClock))
    let engine = ListEngine(configuration, clock: clock, recorder: recorder)
    engine.run(script)
    try recorder.finish()
    return (engine.counters, recorder.recordedBytes ?? [])
  }

  /// What lies on the disk when the process dies: the mapped file, copied at that moment.
  private func bytesWhenKilled(
    after time: Nanoseconds, scratch: String
  ) throws(RecorderError) -> [UInt8] {
    let clock = VirtualClock()
    let recorder = try TraceRecorder(writingTo: scratch, options: .virtual(clock.recorderClock))
    defer { SampleFile.remove(scratch) }
    var copy: Result<[UInt8], RecorderError> = .success([])
    clock.setAlarm(at: clock.now + time) {
      copy = Result { () throws(RecorderError) in try SampleFile.read(scratch) }
    }
    ListEngine(configuration, clock: clock, recorder: recorder).run(script)
    try recorder.finish()
    return try copy.get()
  }

  /// A page that reads as zeros, a few flipped bits, and a tail that is gone.
  private static func damage(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let page = 4096
    let zeroed = bytes.count / 3 / page * page
    for index in zeroed..<min(zeroed + page, bytes.count) { bytes[index] = 0 }
    for index in stride(from: bytes.count / 2, to: bytes.count / 2 + 200, by: 67) {
      bytes[index] ^= 0x10
    }
    bytes.removeLast(bytes.count / 10 + 3)
    return bytes
  }
}

/// What an analysis has to find in a sample; worked out by hand from how the sample is made.
package struct SampleExpectation: Equatable, Sendable {
  /// Frames, also those that were never shown.
  package var frames: Int
  /// Frames that are known to have been on screen.
  package var presented: Int
  /// Commits that ended after their deadline.
  package var deadlineMisses: Int
  package var hitches: Int
  /// The hitch time inside the interactions.
  package var hitchTime: Nanoseconds
  package var moving: Nanoseconds
  /// The hitch time ratio in ms/s, to two decimals.
  package var ratio: Double
  /// The kinds of the interactions, in order.
  package var interactions: [String]
  /// How often the main thread stood inside one span across two refreshes.
  package var stalls: Int
  /// The spans that were open at the end, on the main thread, outermost first.
  package var openSpans: [String] = []
  /// How many causes of loss are named.
  package var losses = 0
}
