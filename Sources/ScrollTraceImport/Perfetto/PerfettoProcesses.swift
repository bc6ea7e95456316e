/// The names of processes and of the threads in them, by the system's numbers.
struct PerfettoProcesses {
  /// The longest name that is kept, in bytes.
  private static let maximumNameLength = 1024

  /// The number that older events write as -1: no process, or no thread.
  static let none = UInt64(UInt32.max)

  private struct Name {
    var text: String
    /// Whether the process gave it to itself, which says more than how it was started.
    var isOwn: Bool
  }

  private var names: [UInt64: Name] = [:]
  private var countOfName: [String: Int] = [:]
  /// The process of each thread, as far as the system's tables tell it.
  private var processes: [UInt64: UInt64] = [:]
  private(set) var threadNames: [UInt64: String] = [:]

  /// The process's name; `nil` where nothing names it.
  func name(_ process: UInt64) -> String? { names[process]?.text }

  /// The process of a thread; the thread's own number, as of a main thread, where nothing tells.
  func process(of thread: UInt64) -> UInt64 { processes[thread] ?? thread }

  /// Says that `thread` is one of `process`.
  mutating func setProcess(_ process: UInt64, of thread: UInt64) {
    if processes[thread] != process { processes[thread] = process }
  }

  /// What the process's frames are called: its name, with its number where another one has the same.
  func displayName(_ process: UInt64) -> String {
    guard let name = names[process]?.text, !name.isEmpty else { return "process \(process)" }
    return countOfName[name] == 1 ? name : "\(name) (\(process))"
  }

  /// Takes a table of the system's processes and threads; `false` where it is damaged.
  mutating func addTree(_ tree: UnsafeRawBufferPointer) -> Bool {
    var isWhole = true
    var fields = WireFields(tree)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, true): isWhole = addProcess(fields.bytes, commandField: 3) != nil && isWhole
      case (2, true): isWhole = addThread(fields.bytes) && isWhole
      default: break
      }
    }
    return isWhole && !fields.isDamaged
  }

  /// Takes what a message says of one process and gives its number; `nil` where it is damaged.
  ///
  /// - Parameter commandField: The number of the field that tells how it was started; what the process
  ///   calls itself is field 6 in the messages that have it.
  mutating func addProcess(
    _ process: UnsafeRawBufferPointer, commandField: UInt32 = 2
  ) -> UInt64? {
    var (id, command, own) = (UInt64?.none, String?.none, String?.none)
    var fields = WireFields(process)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): id = Self.processNumber(fields.value)
      case (commandField, true): command = command ?? Self.program(fields.bytes)
      case (6, true) where commandField != 3: own = Self.text(fields.bytes)
      default: break
      }
    }
    guard !fields.isDamaged, let id else { return nil }
    if let own, !own.isEmpty {
      setName(Name(text: own, isOwn: true), of: id)
    } else if let command, !command.isEmpty, names[id]?.isOwn != true {
      setName(Name(text: command, isOwn: false), of: id)
    }
    return id
  }

  private mutating func setName(_ name: Name, of process: UInt64) {
    let before = names[process]
    if let before {
      guard before.text != name.text || before.isOwn != name.isOwn else { return }
      countOfName[before.text, default: 0] -= 1
    }
    names[process] = name
    countOfName[name.text, default: 0] += 1
  }

  private mutating func addThread(_ thread: UnsafeRawBufferPointer) -> Bool {
    var (id, process, name) = (UInt64?.none, UInt64?.none, String?.none)
    var fields = WireFields(thread)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): id = Self.processNumber(fields.value)
      case (2, true): name = Self.text(fields.bytes)
      case (3, false): process = Self.processNumber(fields.value)
      default: break
      }
    }
    guard !fields.isDamaged, let id else { return false }
    if let process { processes[id] = process }
    if let name, !name.isEmpty { threadNames[id] = name }
    return true
  }

  /// The number of a process, which has 32 bits although it is written with more.
  static func processNumber(_ value: UInt64) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: value))
  }

  /// A name that is not too long.
  static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix(maximumNameLength), as: UTF8.self)
  }

  /// What was started, without the way to it and without what it was told.
  private static func program(_ bytes: UnsafeRawBufferPointer) -> String {
    guard bytes.first == UInt8(ascii: "/") else { return text(bytes) }
    let path = bytes.prefix(maximumNameLength).prefix { $0 != UInt8(ascii: " ") && $0 != 0 }
    let name = path.split(separator: UInt8(ascii: "/")).last
    return name.map { String(decoding: $0, as: UTF8.self) } ?? text(bytes)
  }
}
