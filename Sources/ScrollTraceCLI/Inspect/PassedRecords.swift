import ScrollTraceKit

/// What records have that a filter let go by: to say what there is where it let none through.
struct FilteredRecords {
  /// How many categories and threads are told.
  private static let most = 20

  private var categories: Set<String> = []
  private var threads: Set<UInt64> = []

  /// Counts a record in.
  mutating func insert(_ category: String, _ thread: UInt64?) {
    if categories.count < Self.most, !category.isEmpty { categories.insert(category) }
    // What belongs to no thread has the number 0.
    if let thread, thread != 0, threads.count < Self.most { threads.insert(thread) }
  }

  /// That `filter` let nothing through, and what there is.
  func complaint(_ filter: RecordFilter, _ sink: EscapingContext) -> String {
    var text = "no record is listed"
    if filter.category != nil, !categories.isEmpty {
      text += "; there are the categories \(list(categories.sorted().map(sink.escape)))"
    }
    if filter.thread != nil, !threads.isEmpty {
      text += "; there are the threads \(list(threads.sorted().map(String.init)))"
    }
    if categories.isEmpty, threads.isEmpty, filter.from > 0 {
      text += "; there is none from byte \(filter.from) on"
    }
    return text + "\n"
  }

  private func list(_ names: [String]) -> String {
    names.joined(separator: ", ") + (names.count == Self.most ? " and perhaps more" : "")
  }
}
