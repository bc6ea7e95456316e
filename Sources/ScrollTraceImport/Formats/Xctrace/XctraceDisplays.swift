import ScrollTraceModel

/// The times at each display, in order of the displays' appearance.
struct XctraceDisplays {
  /// The share of gaps that must be equal for a display to have one refresh rate.
  private static let steadyShare = 0.9
  /// The minimum number of gaps that determine a rate.
  private static let minimumGaps = 8

  private(set) var names: [StringID] = []
  private var positions: [StringID: Int] = [:]
  private var times: [[Int64]] = []

  mutating func add(_ time: Timestamp, of name: StringID) {
    // Nearly all rows of a table belong to one display.
    let known = names.first == name ? 0 : positions[name]
    if let known { return times[known].append(time.nanoseconds) }
    positions[name] = names.count
    names.append(name)
    times.append([time.nanoseconds])
  }

  /// Returns the times at a display, ascending, each once.
  func timestamps(of name: StringID) -> [Int64] {
    guard let position = positions[name] else { return [] }
    var unique: [Int64] = []
    for time in times[position].sorted() where unique.last != time { unique.append(time) }
    return unique
  }

  /// Returns the distance of the times if it is nearly constant, or else `nil`.
  ///
  /// A display with a variable rate has no interval that applies to a hitch: the shortest one is
  /// only its fastest.
  func steadyInterval(of name: StringID) -> TimeSpan? {
    let timestamps = timestamps(of: name)
    let gaps = zip(timestamps.dropFirst(), timestamps).map { $0 - $1 }.sorted()
    guard gaps.count >= Self.minimumGaps else { return nil }
    let middle = gaps[gaps.count / 2]
    let same = gaps.count { abs($0 - middle) <= middle / 20 }
    guard Double(same) >= Double(gaps.count) * Self.steadyShare else { return nil }
    return TimeSpan(nanoseconds: middle)
  }
}

/// A row of a list of hitches, until all are known and have surfaces.
struct XctraceHitch {
  /// The process and the display of a hitch.
  struct Surface: Hashable {
    /// The process, a position in the list of processes, or `nil` if the row names none.
    let process: Int?
    /// Whether Apple attributes it to the system.
    let isSystem: Bool
    /// The display's name, which is empty if the row names none.
    let display: StringID
  }

  /// The key that makes two rows the same hitch.
  struct Identity: Hashable {
    let surface: Surface
    let start: Timestamp
    let length: TimeSpan
    let swap: Int64?
  }

  let identity: Identity
  /// The refresh interval in the row itself.
  let refreshInterval: TimeSpan?
  /// Apple's description of it.
  let label: StringID?
}

struct XctraceProcesses {
  /// A process as Instruments writes it.
  struct Process: Hashable {
    /// The system's number, or `nil` if the export does not contain it.
    let pid: Int64?
    let name: String
  }

  private(set) var all: [Process] = []
  private var positions: [Process: Int] = [:]
  private var countOfName: [String: Int] = [:]

  /// Returns the position of a process with the formatted text `Name (123)`.
  mutating func position(pid: Int64?, text: ArraySlice<UInt8>) -> Int {
    var name = String(decoding: text.prefix(1024), as: UTF8.self)
    if let pid, name.hasSuffix(" (\(pid))") { name.removeLast(" (\(pid))".count) }
    return position(Process(pid: pid, name: name))
  }

  mutating func position(_ process: Process) -> Int {
    if let known = positions[process] { return known }
    positions[process] = all.count
    countOfName[process.name, default: 0] += 1
    all.append(process)
    return all.count - 1
  }

  /// Returns the process's name, with its number if another process has the same name.
  func displayName(_ position: Int) -> String {
    let process = all[position]
    let isAlone = countOfName[process.name] == 1
    guard !isAlone || process.name.isEmpty else { return process.name }
    let number = process.pid.map { "\($0)" } ?? "?"
    return process.name.isEmpty ? "process \(number)" : "\(process.name) (\(number))"
  }
}
