import ScrollTraceKit

/// Prints chunks or records, one per line, during a walk over a file.
///
/// A class because the walk's closure counts in it.
final class RecordListing {
  private let filter: RecordFilter?
  private let asJSON: Bool
  private let sink: EscapingContext
  private let console: Console
  private var lines = ""
  private var count: UInt64 = 0
  private var filtered = FilteredRecords()
  private var chunk: (facts: FXTChunkFacts, records: UInt64, used: UInt64, damage: [FXTDamage])?
  /// A Boolean value indicating whether the file is damaged.
  private(set) var hasDamage = false
  private var failure: OutputError?

  /// Creates a list of the records that match `filter`, or of chunks for `nil`.
  init(filter: RecordFilter?, asJSON: Bool, console: Console) {
    self.filter = filter
    self.asJSON = asJSON
    sink = console.sink
    self.console = console
  }

  /// Adds an item and returns whether more items are needed.
  func add(_ item: FXTItem, _ names: FXTNames) throws(ImportError) -> Bool {
    switch item {
    case .damage(let damage):
      hasDamage = true
      if filter == nil, chunk != nil {
        chunk?.damage.append(damage)
      } else if damage.offset >= filter?.from ?? 0 {
        add(damage)
      }
    case .record(let record):
      chunk?.records += record.isPad ? 0 : 1
      chunk?.used += record.isPad ? 0 : record.byteCount
      if filter != nil, !record.isPad { add(record, names) }
    case .chunk(let facts): chunk = (facts, 0, 0, [])
    case .chunkEnd(let seal):
      if filter == nil { addChunk(seal) }
      chunk = nil
    case .page(_, let offset, _):
      if filter == nil { add(line: "\(Self.place(offset))  page 0", [("page", .unsigned(offset))]) }
    }
    return failure == nil && count < filter?.limit ?? .max
  }

  /// Prints the rest.
  func finish() throws(OutputError) {
    if let failure { throw failure }
    try console.print(lines)
    lines = ""
    if let filter, count == 0 { console.complain(filtered.complaint(filter, sink)) }
  }

  private func add(_ damage: FXTDamage) {
    add(
      line: "\(Self.place(damage.offset))  DAMAGE  \(Quantity.bytes(damage.byteCount)):"
        + " \(damage.reason.rawValue)",
      [
        ("offset", .unsigned(damage.offset)), ("damagedBytes", .unsigned(damage.byteCount)),
        ("reason", .string(damage.reason.rawValue)),
      ])
  }

  private func add(_ record: FXTRecordItem, _ names: FXTNames) {
    guard let filter, record.offset >= filter.from else { return }
    let facts = record.facts(names)
    let thread = facts.thread?.id ?? chunk?.facts.identity?.thread.id
    guard filter.matches(category: facts.category), filter.matches(thread: thread) else {
      filtered.insert(facts.category, thread)
      return
    }
    count += 1
    var words = [Self.place(record.offset), Self.padded(facts.kind, 14)]
    if let time = facts.time { words.append(Self.seconds(time)) }
    if facts.kind == "complete", let time = facts.time, let end = facts.tail {
      words.append(end >= time ? "+" + Self.seconds(end - time) : "ends before it starts")
    } else if let tail = facts.tail {
      words.append("id \(tail)")
    }
    if let thread = facts.thread { words.append("thread \(thread.id)") }
    if !facts.category.isEmpty { words.append(sink.escape(facts.category)) }
    if !facts.name.isEmpty { words.append(sink.escape(facts.name)) }
    words += facts.arguments.map { sink.escape($0.key) + "=" + sink.escape($0.value) }
    if !facts.isReadable { words.append("CUT SHORT") }
    var members: [(String, JSONValue)] = [
      ("offset", .unsigned(record.offset)), ("bytes", .unsigned(record.byteCount)),
      ("kind", .string(facts.kind)),
    ]
    if let time = facts.time { members.append(("ticks", .unsigned(time))) }
    if let tail = facts.tail {
      members.append((facts.kind == "complete" ? "endTicks" : "id", .unsigned(tail)))
    }
    if let thread = facts.thread {
      members += [("process", .unsigned(thread.process)), ("thread", .unsigned(thread.id))]
    }
    if !facts.category.isEmpty { members.append(("category", .string(facts.category))) }
    if !facts.name.isEmpty { members.append(("name", .string(facts.name))) }
    if !facts.arguments.isEmpty {
      members.append(("args", .object(facts.arguments.map { ($0.key, .string($0.value)) })))
    }
    if !facts.isReadable { members.append(("cutShort", .bool(true))) }
    add(line: words.joined(separator: "  "), members)
  }

  private func addChunk(_ seal: FXTSealState) {
    guard let (facts, records, used, damage) = chunk else { return }
    var words = [Self.place(facts.offset)]
    var members: [(String, JSONValue)] = [("offset", .unsigned(facts.offset))]
    if facts.isUnused {
      words.append("unused")
      members.append(("unused", .bool(true)))
    } else {
      if let chunk = facts.identity {
        words.append("chunk \(Self.padded(String(chunk.sequence), 5))")
        words.append(
          chunk.holdsStacks
            ? "open spans"
            : "thread \(chunk.thread.id)\(chunk.isMain ? " (main)" : "") #\(chunk.threadSequence)")
        members += [
          ("sequence", .unsigned(chunk.sequence)), ("process", .unsigned(chunk.thread.process)),
          ("thread", .unsigned(chunk.thread.id)),
          ("threadSequence", .unsigned(chunk.threadSequence)), ("main", .bool(chunk.isMain)),
          ("stacks", .bool(chunk.holdsStacks)),
        ]
      } else {
        words.append("chunk of an unknown thread")
      }
      words += ["\(Quantity.count(records, "record"))", Quantity.bytes(used)]
      words.append(["valid": "sealed", "wrong": "SEAL WRONG"][seal.rawValue] ?? "not sealed")
      members += [
        ("records", .unsigned(records)), ("usedBytes", .unsigned(used)),
        ("seal", .string(seal.rawValue)),
      ]
    }
    add(line: words.joined(separator: "  "), members)
    for damage in damage { add(damage) }
  }

  private func add(line: String, _ members: [(String, JSONValue)]) {
    lines += asJSON ? JSONValue.object(members).line : line + "\n"
    guard lines.utf8.count > 1 << 16 else { return }
    do {
      try console.print(lines)
    } catch {
      failure = error
    }
    lines = ""
  }

  private static func place(_ offset: UInt64) -> String {
    let digits = String(offset, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Formats nanoseconds as seconds.
  static func seconds(_ time: UInt64) -> String {
    let fraction = String(1_000_000_000 + time % 1_000_000_000).dropFirst()
    return "\(time / 1_000_000_000).\(fraction)"
  }
}

/// The filter of the records to list.
struct RecordFilter: Sendable {
  /// The first byte offset.
  var from: UInt64 = 0
  /// The maximum number of records, or `nil` for all.
  var limit: UInt64?
  /// The category of events, or `nil` for all.
  var category: String?
  /// The ID of the thread, or `nil` for all.
  var thread: UInt64?

  /// Returns a Boolean value indicating whether events of `category` match.
  func matches(category: String) -> Bool {
    guard let wanted = self.category else { return true }
    return category == wanted || category == Label.reservedPrefix + wanted
  }

  /// Returns a Boolean value indicating whether records of `thread` match.
  func matches(thread: UInt64?) -> Bool { self.thread.map { $0 == thread } ?? true }

  /// Creates the filter in `arguments`.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let number = { (text: String) in
      text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }
    from =
      try arguments.value(
        of: InspectCommand.from, as: number, expecting: "a byte offset such as 8000 or 0x1f40") ?? 0
    limit = try arguments.value(
      of: InspectCommand.limit, as: { UInt64($0) }, expecting: "a number of records")
    thread = try arguments.value(
      of: InspectCommand.thread, as: number, expecting: "the ID of a thread")
    category = arguments.value(of: InspectCommand.category)
  }
}

/// The categories and threads of records that did not match a filter.
struct FilteredRecords {
  /// The maximum number of categories and threads to report.
  private static let most = 20

  private var categories: Set<String> = []
  private var threads: Set<UInt64> = []

  /// Adds a record.
  mutating func insert(_ category: String, _ thread: UInt64?) {
    if categories.count < Self.most, !category.isEmpty { categories.insert(category) }
    // Records without a thread have the ID 0.
    if let thread, thread != 0, threads.count < Self.most { threads.insert(thread) }
  }

  /// Returns the message that no record matches `filter`.
  func complaint(_ filter: RecordFilter, _ sink: EscapingContext) -> String {
    var text = "no records match"
    if filter.category != nil, !categories.isEmpty {
      text += "; categories: \(list(categories.sorted().map(sink.escape)))"
    }
    if filter.thread != nil, !threads.isEmpty {
      text += "; threads: \(list(threads.sorted().map(String.init)))"
    }
    if categories.isEmpty, threads.isEmpty, filter.from > 0 {
      text += "; none starts at or after byte \(filter.from)"
    }
    return text + "\n"
  }

  private func list(_ names: [String]) -> String {
    names.joined(separator: ", ") + (names.count == Self.most ? " and possibly more" : "")
  }
}
