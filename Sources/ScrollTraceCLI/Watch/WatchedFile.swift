import ScrollTraceKit

/// A file that is watched, and what is known of its host.
struct WatchedFile {
  /// A host that is gone, and whose file has not grown for so long, writes no more; in milliseconds.
  private static let quietTime: Int64 = 1_000
  /// The same where nobody knows the host's process.
  private static let quietTimeOfUnknown: Int64 = 2_000
  /// How many bytes are read before they are looked at.
  private static let step = 4 << 20

  /// The path that was given.
  let path: String
  /// What the file holds.
  private(set) var recording: WatchedRecording
  /// What becomes of the host.
  private(set) var host = HostState.recording
  /// Whether the host's process is stopped, so that nothing can come.
  private(set) var isStopped = false
  /// What the path leads to.
  private(set) var place = LiveTraceReader.Place.there
  /// When something came last, in the milliseconds that are given to `step`.
  private(set) var lastNews: Int64

  /// The file at `path`, opened at the instant `now`.
  ///
  /// - Throws: Where there is no recording.
  init(path: String, now: Int64) throws(ImportError) {
    self.path = path
    recording = WatchedRecording(try LiveTraceReader(path: path))
    lastNews = now
    findHost()
  }

  /// Where the bytes come from.
  var reader: LiveTraceReader { recording.reader }

  /// Whether there is more to be read at once.
  var isBehind: Bool { reader.hasMore }

  /// How long nothing has come, in milliseconds.
  func silence(now: Int64) -> Int64 { max(0, now - lastNews) }

  /// Whether nothing more will come.
  func isOver(now: Int64) -> Bool {
    guard !isBehind else { return false }
    return switch host {
    case .recording: false
    case .closed: true
    case .gone: silence(now: now) >= Self.quietTime
    case .unknown: silence(now: now) >= Self.quietTimeOfUnknown
    }
  }

  /// Reads what has come at the instant `now`; whether there was anything.
  @discardableResult
  mutating func step(now: Int64) throws(ImportError) -> Bool {
    // Asked before the reading: what a host wrote until it was gone is there by then.
    findHost()
    let hasRead = try recording.readOn(atMost: Self.step)
    if hasRead { lastNews = now }
    if reader.isClosed { host = .closed }
    place = reader.place
    return hasRead
  }

  /// Goes over to the file that the path leads to now, if it is another recording; whether it did.
  mutating func replace(now: Int64) -> Bool {
    guard place == .replaced, let other = try? WatchedFile(path: path, now: now) else {
      return false
    }
    self = other
    return true
  }

  /// Says that nothing more will come, so that what cannot be read is damage, and reads that.
  mutating func end() throws(ImportError) {
    guard host != .recording else { return }
    reader.end()
    repeat { _ = try recording.readOn(atMost: Self.step) } while reader.hasMore
    recording.look()
  }

  /// Whether data was lost.
  var hasLost: Bool { recording.analysis.map { !$0.trace.losses.isEmpty } ?? false }

  /// The last instant to show: that of the host's clock while it records, else the last recorded one.
  func now() -> Timestamp {
    let latest = reader.latestTime ?? .zero
    guard host == .recording, let now = HostClock.now(reader.clock) else { return latest }
    // A clock of another start of the machine tells nothing.
    let isNear = now >= latest && now - latest < .milliseconds(3_600_000)
    return isNear ? now : latest
  }

  /// The hitch that goes on at `now`; `nil` where there is none, or the file says more than was read.
  func stall(at now: Timestamp) -> LiveStall? {
    host == .recording && !isBehind ? recording.analysis?.stall(at: now) : nil
  }

  private mutating func findHost() {
    if reader.isClosed {
      host = .closed
    } else if reader.clock == 0 {
      host = .unknown
    } else {
      host = HostState.of(process: reader.process)
    }
    isStopped = host == .recording && HostState.isStopped(process: reader.process)
  }
}
