import ScrollTraceKit

/// Which records are listed.
struct RecordFilter: Sendable {
  /// The first byte.
  var from: UInt64 = 0
  /// The most records; `nil` for all.
  var limit: UInt64?
  /// The category of events; `nil` for all.
  var category: String?
  /// The id of the thread; `nil` for all.
  var thread: UInt64?

  /// Whether events of `category` are listed.
  func takes(category: String) -> Bool {
    guard let wanted = self.category else { return true }
    return category == wanted || category == "scrolltrace." + wanted
  }

  /// Whether records of `thread` are listed.
  func takes(thread: UInt64?) -> Bool { self.thread.map { $0 == thread } ?? true }

  /// What the arguments say.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let number = { (text: String) in
      text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }
    from =
      try arguments.value(
        of: InspectCommand.from, as: number, expecting: "a number of bytes from 0 on") ?? 0
    limit = try arguments.value(
      of: InspectCommand.limit, as: { UInt64($0) }, expecting: "a number from 0 on")
    thread = try arguments.value(
      of: InspectCommand.thread, as: number, expecting: "a thread's id")
    category = arguments.value(of: InspectCommand.category)
  }
}
