internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// The policy for dumps that a recorder writes automatically after a hitch.
///
/// ```swift
/// var options = RecorderOptions()
/// options.ringBytes = 4 << 20
/// options.hitchDumps = HitchDumpPolicy(minimumHitch: .milliseconds(100), pathPrefix: "hitch")
/// ```
public struct HitchDumpPolicy: Sendable {
  /// The shortest hitch that causes a dump.
  let minimumHitch: RecorderTime
  let pathPrefix: String
  /// The minimum time between two dumps.
  var minimumInterval: RecorderTime
  /// The maximum number of dumps of a recording.
  var maximumCount: Int

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - minimumHitch: The shortest hitch that causes a dump.
  ///   - pathPrefix: The start of the files' paths, which `-1.fxt`, `-2.fxt` and so on complete. Existing
  ///     files are skipped.
  ///   - minimumInterval: The minimum time between two dumps.
  ///   - maximumCount: The maximum number of dumps of a recording.
  public init(
    minimumHitch: RecorderTime, pathPrefix: String, minimumInterval: RecorderTime = .seconds(10),
    maximumCount: Int = 16
  ) {
    self.minimumHitch = minimumHitch
    self.pathPrefix = pathPrefix
    self.minimumInterval = minimumInterval
    self.maximumCount = maximumCount
  }
}

/// The dumps that a recorder has written automatically.
struct AutomaticDumps {
  var paths: [String] = []
  /// The error of the last dump that failed, or `nil` if none failed.
  var lastError: RecorderError?
}

/// Dumps after hitches. A thread of the recorder writes them, so that no thread of the host waits.
extension RecorderStore {
  func startDumper() {
    guard options.hitchDumps != nil else { return }
    let thread = startThread("scrolltrace-dump") { $0.dumpWhenAsked() }
    locked { state in
      state.dumper = thread
      if thread == nil {
        state.dumps.lastError = RecorderError(
          path: "", reason: "cannot start a thread for dumps")
      }
    }
  }

  /// Requests a dump, unless the last one was just written or there are enough.
  func askForDump(at time: Int64) {
    guard let wish = options.hitchDumps else { return }
    let isWanted = locked { state -> Bool in
      guard state.dumper != nil, !state.dumpIsWanted, state.dumpCount < wish.maximumCount else {
        return false
      }
      if let last = state.lastDumpTime {
        let (passed, overflow) = time.subtractingReportingOverflow(last)
        guard !overflow, passed >= wish.minimumInterval.nanoseconds else { return false }
      }
      state.lastDumpTime = time
      state.dumpCount += 1
      state.dumpIsWanted = true
      return true
    }
    if isWanted { signalDumper() }
  }

  /// Writes dumps until the recording ends.
  private func dumpWhenAsked() {
    while true {
      waitForDumpWish()
      let number = locked { state -> Int? in
        defer { state.dumpIsWanted = false }
        return state.dumpIsWanted ? state.dumpCount : nil
      }
      guard let number, let wish = options.hitchDumps else { return }
      // The rest of the hitch's samples is written after its end.
      if let stacks = options.stackSampling { usleep(UInt32(clamping: stacks.period / 500)) }
      var (path, result) = dump(to: wish, number: number)
      // Dumps of earlier runs of the app are preserved.
      var next = number
      while case .failure(let error) = result, error.errorNumber == EEXIST,
        next < number + Self.maximumTakenNumbers
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

  /// The maximum number of existing files that are skipped.
  private static var maximumTakenNumbers: Int { 1000 }

  private func dump(
    to wish: HitchDumpPolicy, number: Int
  ) -> (path: String, result: Result<Void, RecorderError>) {
    let path = "\(wish.pathPrefix)-\(number).fxt"
    return (path, Result { () throws(RecorderError) in try dump(to: path) })
  }

  /// Ends the thread after a requested dump is written.
  func stopDumper() {
    locked { $0.dumperStops = true }
    guard let thread = takeThread(\.dumper) else { return }
    signalDumper()
    thread.join()
  }
}

extension TraceRecorder {
  /// Writes the current content of the recording to a new file while all threads continue to
  /// record.
  ///
  /// The file is an ordinary trace, finished and sealed. It contains everything recorded before the call, and
  /// may contain a part of what is recorded while it is written, which takes about a millisecond for each
  /// MiB. No recording thread waits, but the caller does: call this method from a background thread.
  ///
  /// - Throws: `RecorderError` if the file exists or cannot be written.
  public func dump(to path: String) throws(RecorderError) {
    guard pointer.control.mode != RecorderMode.forked else {
      throw RecorderError(
        path: path, reason: "the child of a fork has no recording",
        advice: "create a recorder in the child")
    }
    try store.dump(to: path)
  }

  /// The paths of the dumps written after hitches so far, in order. See
  /// `RecorderOptions.hitchDumps`.
  public var dumpPaths: [String] { dumps.paths }

  /// The error of the last dump after a hitch that failed, or `nil` if none failed.
  public var lastDumpError: RecorderError? { dumps.lastError }

  /// The paths and the last error, read together.
  var dumps: AutomaticDumps {
    guard pointer.control.mode != RecorderMode.forked else { return AutomaticDumps() }
    return store.locked { $0.dumps }
  }
}

extension RecorderPointer {
  /// Requests a dump if an event at `time` is late enough.
  func requestDump(since target: Int64, until time: Int64) {
    let (length, overflow) = time.subtractingReportingOverflow(target)
    if !overflow { requestDump(of: length, until: time) }
  }

  /// Requests a dump if a hitch of known length is long enough.
  func requestDump(of length: Int64, until time: Int64) {
    guard length >= control.pointee.hitchLimit else { return }
    control.pointee.store.takeUnretainedValue().askForDump(at: time)
  }
}
