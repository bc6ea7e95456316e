import ScrollTraceKit
import ScrollTracePlatform

/// A watched file and the state of the app that records it.
struct WatchedFile {
  /// Milliseconds without growth after which the file of an ended app is complete.
  private static let quietTime: Int64 = 1_000
  /// Milliseconds without growth after which a file of an unknown process is complete.
  private static let quietTimeOfUnknown: Int64 = 2_000
  /// The bytes to read before an update.
  static let stepSize = 4 << 20

  /// The path in the command line.
  let path: String
  /// Where names of sampled code are.
  private let options: ImportOptions
  private(set) var recording: WatchedRecording
  private(set) var host = HostState.recording
  /// Whether the app's process is stopped.
  private(set) var isStopped = false
  private(set) var pathState = LiveTraceReader.PathState.there
  /// The time of the last new data, on the clock of `step`.
  private(set) var lastNews: Int64

  /// Opens the file at `path` at the time `now`.
  ///
  /// - Throws: An error if there is no recording.
  init(
    path: String, options: ImportOptions = ImportOptions(), now: Int64
  ) throws(ImportError) {
    self.path = path
    self.options = options
    recording = WatchedRecording(try LiveTraceReader(path: path, options: options))
    lastNews = now
    findHost()
  }

  var reader: LiveTraceReader { recording.reader }

  /// Whether more data can be read now.
  var isBehind: Bool { reader.hasMore }

  /// Returns the milliseconds since the last new data.
  func silence(now: Int64) -> Int64 { max(0, now - lastNews) }

  /// Returns whether the recording has ended.
  func isOver(now: Int64) -> Bool {
    guard !isBehind else { return false }
    return switch host {
    case .recording: false
    case .finished: true
    case .gone: silence(now: now) >= Self.quietTime
    case .unknown: silence(now: now) >= Self.quietTimeOfUnknown
    }
  }

  /// Reads about `limit` bytes of new data at the time `now`, and returns whether there was any.
  @discardableResult
  mutating func step(
    now: Int64, maximum limit: Int = WatchedFile.stepSize
  ) throws(ImportError) -> Bool {
    // Checked before reading, so that all data of an ended app is read.
    findHost()
    let before = reader.latestTime
    let hasRead = try recording.readOn(maximum: limit)
    // Samples of a thread that hangs are no news of it.
    if reader.latestTime != before { lastNews = now }
    if reader.isClosed { host = .finished }
    pathState = reader.pathState
    return hasRead
  }

  /// Switches to the recording that replaced the file, and returns whether there is one.
  mutating func replace(now: Int64) -> Bool {
    guard pathState == .replaced,
      let other = try? WatchedFile(path: path, options: options, now: now)
    else { return false }
    self = other
    return true
  }

  /// Ends reading, so that unreadable data is counted as damage.
  mutating func end() throws(ImportError) {
    guard host != .recording else { return }
    reader.end()
    repeat { _ = try recording.readOn(maximum: Self.stepSize) } while reader.hasMore
    recording.look()
  }

  var hasLost: Bool { recording.analysis.map { !$0.trace.losses.isEmpty } ?? false }

  /// Returns the last time to display: the current time during the recording, otherwise its last
  /// time.
  func now() -> Timestamp {
    let latest = reader.latestTime ?? .zero
    guard host == .recording, let now = recording.clockTime else { return latest }
    // The clock of another boot is not comparable.
    let isNear = now >= latest && now - latest < .milliseconds(3_600_000)
    return isNear ? now : latest
  }

  /// Returns the ongoing hitch at `now`, or `nil` if there is none or data is unread.
  func stall(at now: Timestamp) -> LiveStall? {
    host == .recording && !isBehind ? recording.analysis?.stall(at: now) : nil
  }

  private mutating func findHost() {
    if reader.isClosed {
      host = .finished
    } else if reader.clock == 0 {
      host = .unknown
    } else {
      host = HostState.of(process: reader.process)
    }
    isStopped = host == .recording && HostState.isStopped(process: reader.process)
  }
}

enum HostState: Sendable {
  /// The app is running and has not finished the recording.
  case recording
  /// The app has finished the recording.
  case finished
  /// The app ended without finishing the recording.
  case gone
  /// The app uses a clock of its own, so its process is unknown.
  case unknown

  /// Returns the state of an app that has not finished its recording, by its process ID.
  static func of(process: UInt64) -> HostState {
    guard let number = pid_t(exactly: process), number > 0 else { return .gone }
    // The process of another user also exists.
    guard kill(number, 0) == 0 || errno == EPERM else { return .gone }
    return isIn("ZX", number) ? .gone : .recording
  }

  /// Returns whether a process is stopped, such as by Control-Z or a
  /// debugger; always `false` except on Linux.
  static func isStopped(process: UInt64) -> Bool {
    pid_t(exactly: process).map { isIn("Tt", $0) } ?? false
  }

  /// Returns whether a process is in a state of these letters on Linux.
  private static func isIn(_ states: String, _ process: pid_t) -> Bool {
    // The file exists only on Linux.
    let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = max(0, read(file, &bytes, bytes.count))
    // The state follows the name, which is in parentheses and can contain any character.
    guard let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
      return false
    }
    return states.utf8.contains(bytes[end + 2])
  }
}
