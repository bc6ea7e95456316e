import ScrollTraceKit

/// Prints chunks or records one a line as they are walked over.
///
/// A class since the walk's closure counts in it.
final class ItemListing {
  private let filter: RecordFilter?
  private let asJSON: Bool
  private let sink: EscapingContext
  private let console: Console
  private var lines = ""
  private var count: UInt64 = 0
  private var passed = FilteredRecords()
  private var chunk: (facts: FXTChunkFacts, records: UInt64, used: UInt64, damage: [FXTDamage])?
  /// Whether there was something that is no record.
  private(set) var hasDamage = false
  private var failure: OutputError?

  /// A list of the records that `filter` lets through; of chunks for `nil`.
  init(filter: RecordFilter?, asJSON: Bool, sink: EscapingContext, console: Console) {
    self.filter = filter
    self.asJSON = asJSON
    self.sink = sink
    self.console = console
  }

  /// Takes an item; whether more are wanted.
  func take(_ item: FXTItem, _ names: FXTNames) throws(ImportError) -> Bool {
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
    case .page(_, let offset):
      if filter == nil { add(line: "\(Self.place(offset))  page 0", [("page", .unsigned(offset))]) }
    }
    return failure == nil && count < filter?.limit ?? .max
  }

  /// Prints the rest.
  func finish() throws(OutputError) {
    if let failure { throw failure }
    try console.print(lines)
    lines = ""
    if let filter, count == 0 { console.complain(passed.complaint(filter, sink)) }
  }

  private func add(_ damage: FXTDamage) {
    add(
      line: "\(Self.place(damage.offset))  DAMAGE  \(Quantity.bytes(damage.byteCount)):"
        + " \(damage.cause.rawValue)",
      [
        ("offset", .unsigned(damage.offset)), ("damagedBytes", .unsigned(damage.byteCount)),
        ("cause", .string(damage.cause.rawValue)),
      ])
  }

  private func add(_ record: FXTRecordItem, _ names: FXTNames) {
    guard let filter, record.offset >= filter.from else { return }
    let facts = record.facts(names)
    let thread = facts.thread?.id ?? chunk?.facts.identity?.thread.id
    guard filter.takes(category: facts.category), filter.takes(thread: thread) else {
      passed.insert(facts.category, thread)
      return
    }
    count += 1
    var words = [Self.place(record.offset), Self.padded(facts.kind, 14)]
    if let time = facts.time { words.append(Self.seconds(time)) }
    if facts.kind == "complete", let time = facts.time, let end = facts.tail {
      words.append(end >= time ? "+" + Self.seconds(end - time) : "ends before it begins")
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
            ? "stacks of open spans"
            : "thread \(chunk.thread.id)\(chunk.isMain ? " (main)" : "") #\(chunk.threadSequence)")
        members += [
          ("sequence", .unsigned(chunk.sequence)), ("process", .unsigned(chunk.thread.process)),
          ("thread", .unsigned(chunk.thread.id)),
          ("threadSequence", .unsigned(chunk.threadSequence)), ("main", .bool(chunk.isMain)),
          ("stacks", .bool(chunk.holdsStacks)),
        ]
      } else {
        words.append("chunk of nobody known")
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

  /// Nanoseconds as seconds.
  static func seconds(_ time: UInt64) -> String {
    let fraction = String(1_000_000_000 + time % 1_000_000_000).dropFirst()
    return "\(time / 1_000_000_000).\(fraction)"
  }
}
