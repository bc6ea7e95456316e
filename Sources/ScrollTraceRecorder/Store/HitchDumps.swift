internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// When a recorder writes a dump by itself: after a hitch.
///
/// ```swift
/// var options = RecorderOptions()
/// options.ringBytes = 4 << 20
/// options.hitchDumps = HitchDumpPolicy(of: 100_000_000, to: "hitch")   // hitch-1.fxt, hitch-2.fxt …
/// ```
public struct HitchDumpPolicy: Sendable {
  /// The shortest hitch that is worth a dump, in nanoseconds.
  package var limit: Int64
  /// The beginning of the files' paths; `-1.fxt`, `-2.fxt` and so on follow, those left out that are
  /// there already.
  package var path: String
  /// How long after a dump no other is made: 10 s.
  public var pause: Int64 = 10_000_000_000
  /// The most dumps of a recording.
  public var maximumCount = 16

  /// Dumps for hitches of `limit` nanoseconds and longer, in files whose paths begin with `path`.
  public init(of limit: Int64, to path: String) {
    self.limit = limit
    self.path = path
  }
}

/// The dumps that a recorder has made by itself.
public struct RecorderDumps: Sendable {
  /// The files, in their order.
  public internal(set) var paths: [String] = []
  /// Why the last one that failed did, or `nil` if none has.
  public internal(set) var lastError: RecorderError?
}

/// Dumps after hitches: a thread of the recorder's own makes them, so that none of the host's waits.
extension RecorderStore {
  /// Starts that thread, if dumps are wanted.
  func startDumper() {
    guard options.hitchDumps != nil else { return }
    let thread = HelperThread.start("scrolltrace-dump", self) { store in store.dumpWhenAsked() }
    locked { state in
      state.dumper = thread
      if thread == nil {
        state.dumps.lastError = RecorderError(
          path: "", reason: "the system gives no thread to make dumps")
      }
    }
  }

  /// Asks for a dump, unless the last one was just made or there are enough.
  func askForDump(at time: Int64) {
    guard let wish = options.hitchDumps else { return }
    let isWanted = locked { state -> Bool in
      guard state.dumper != nil, !state.dumpIsWanted, state.dumpCount < wish.maximumCount else {
        return false
      }
      if let last = state.lastDumpTime {
        let (passed, overflow) = time.subtractingReportingOverflow(last)
        guard !overflow, passed >= wish.pause else { return false }
      }
      state.lastDumpTime = time
      state.dumpCount += 1
      state.dumpIsWanted = true
      return true
    }
    if isWanted { signalDumper() }
  }

  /// Makes dumps until the recording ends.
  private func dumpWhenAsked() {
    while true {
      waitForDumpWish()
      let number = locked { state -> Int? in
        defer { state.dumpIsWanted = false }
        return state.dumpIsWanted ? state.dumpCount : nil
      }
      guard let number, let wish = options.hitchDumps else { return }
      var (path, result) = dump(to: wish, number: number)
      // Those of an earlier run of the app are left alone.
      var next = number
      while case .failure(let error) = result, error.errorNumber == EEXIST,
        next < number + Self.mostTakenNumbers
      {
        next += 1
        (path, result) = dump(to: wish, number: next)
      }
      locked { state in
        switch result {
        case .success: state.dumps.paths.append(path)
        case .failure(let error): state.dumps.lastError = error
        }
      }
    }
  }

  /// How many numbers of dumps may be taken by files that are there already.
  private static var mostTakenNumbers: Int { 1000 }

  private func dump(
    to wish: HitchDumpPolicy, number: Int
  ) -> (path: String, result: Result<Void, RecorderError>) {
    let path = "\(wish.path)-\(number).fxt"
    return (path, Result { () throws(RecorderError) in try dump(to: path) })
  }

  /// Ends the thread, when the dump that was asked for is made.
  func stopDumper() {
    let thread = locked { state in
      state.dumperStops = true
      defer { state.dumper = nil }
      return state.dumper
    }
    guard let thread else { return }
    signalDumper()
    thread.join()
  }
}

extension TraceRecorder {
  /// Writes what the recording holds now into a new file, while all threads go on recording.
  ///
  /// The file is an ordinary trace, closed and sealed. It is complete up to the call; of what happens
  /// while it is written, which takes about a millisecond a MiB, it may hold a part. No recording
  /// thread waits, but the caller does: call it from a thread that has time.
  ///
  /// It throws where there is such a file already, or where it cannot be written.
  public func dump(to path: String) throws(RecorderError) {
    guard control.pointee.mode.load(ordering: .relaxed) != RecorderMode.forked else {
      throw RecorderError(
        path: path, reason: "the child of a fork has no recording",
        advice: "make a recorder in the child")
    }
    try control.pointee.store.takeUnretainedValue().dump(to: path)
  }

  /// The dumps made after hitches so far; see `RecorderOptions.hitchDumps`.
  public var dumps: RecorderDumps {
    guard control.pointee.mode.load(ordering: .relaxed) != RecorderMode.forked else {
      return RecorderDumps()
    }
    return control.pointee.store.takeUnretainedValue().locked { $0.dumps }
  }

  /// Whether dumps after hitches are wanted.
  @inlinable
  var notesHitches: Bool { control.pointee.hitchLimit != .max }

  /// Asks for a dump where the commit of a frame, which ends now, is so late that one is wanted.
  @usableFromInline @inline(never)
  func noteCommit(of frame: RecordedFrame) {
    // A frame may end while recording is off, or in the child of a fork, where no lock may be taken.
    guard control.pointee.mode.load(ordering: .relaxed) == RecorderMode.on else { return }
    let ticks = frame.surface.block.pointee.ticks
    guard frame.token.writer != nil, let deadline = ticks?.deadline(of: frame.id) else { return }
    noteHitch(since: deadline, until: now())
  }

  /// Asks for a dump where what came at `time` is so late that one is wanted.
  func noteHitch(since target: Int64, until time: Int64) {
    let (length, overflow) = time.subtractingReportingOverflow(target)
    if !overflow { noteHitch(of: length, until: time) }
  }

  /// The same for a hitch whose length is known.
  func noteHitch(of length: Int64, until time: Int64) {
    guard length >= control.pointee.hitchLimit else { return }
    control.pointee.store.takeUnretainedValue().askForDump(at: time)
  }
}
