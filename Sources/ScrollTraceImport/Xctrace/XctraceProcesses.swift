/// The processes that values name.
struct XctraceProcesses {
  /// A process as Instruments writes it.
  struct Process: Hashable {
    /// The system's number; `nil` where the export does not tell.
    let pid: Int64?
    /// The name.
    let name: String
  }

  private(set) var all: [Process] = []
  private var positions: [Process: Int] = [:]
  private var countOfName: [String: Int] = [:]

  /// The position of a process whose text for people is `Name (123)`.
  mutating func position(pid: Int64?, text: ArraySlice<UInt8>) -> Int {
    var name = String(decoding: text.prefix(1024), as: UTF8.self)
    if let pid, name.hasSuffix(" (\(pid))") { name.removeLast(" (\(pid))".count) }
    return position(Process(pid: pid, name: name))
  }

  /// The position of `process`.
  mutating func position(_ process: Process) -> Int {
    if let known = positions[process] { return known }
    positions[process] = all.count
    countOfName[process.name, default: 0] += 1
    all.append(process)
    return all.count - 1
  }

  /// The process's name, with its number where another one is called the same.
  func displayName(_ position: Int) -> String {
    let process = all[position]
    let isAlone = countOfName[process.name] == 1
    guard !isAlone || process.name.isEmpty else { return process.name }
    let number = process.pid.map { "\($0)" } ?? "?"
    return process.name.isEmpty ? "process \(number)" : "\(process.name) (\(number))"
  }
}
