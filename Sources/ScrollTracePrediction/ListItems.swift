import ScrollTraceAnalysis
import ScrollTraceModel

/// The items of a trace. Two lists can have items of one number (M-15).
struct ListItems {
  /// An item of one of several lists, or of any if there is only one.
  struct Item: Hashable {
    var list: StringID?
    let number: UInt64
  }

  private let trace: Trace
  private let keys: ListKeys
  /// For each number, the lists that preparations, loads and marks of its items name, ascending by time;
  /// empty if no two lists are named.
  private var lists: [UInt64: [(time: Int64, list: StringID)]] = [:]

  init(of trace: Trace, _ roles: [WorkRole], _ keys: ListKeys) {
    self.trace = trace
    self.keys = keys
    guard keys.list != nil else { return }
    for track in trace.tracks {
      for (index, label) in track.spans.labels.enumerated() {
        let label = Int(label.rawValue)
        guard label < roles.count, roles[label] == .prepare || roles[label] == .load else {
          continue
        }
        note(track.spans.arguments(at: index), at: track.spans.times[index].end)
      }
    }
    let words = ListWords(of: trace)
    for mark in trace.marks where words[mark.label] != nil {
      note(mark.arguments, at: mark.time.nanoseconds)
    }
    if Set(lists.values.joined().map(\.list)).count < 2 { lists = [:] }
    for number in lists.keys { lists[number]?.sort { $0.time < $1.time } }
  }

  private mutating func note(_ arguments: ArgumentListID, at time: Int64) {
    guard let number = keys.item(of: arguments, in: trace), let list = list(of: arguments) else {
      return
    }
    lists[number, default: []].append((time, list))
  }

  private func list(of arguments: ArgumentListID) -> StringID? {
    guard let key = keys.list,
      case .string(let name) = trace.arguments.value(of: key, in: arguments)
    else { return nil }
    return name
  }

  /// Returns the item that arguments name, or `nil` if they name none.
  ///
  /// If they do not name its list, it is that of the item's event before `time`, or else of the first one.
  func item(of arguments: ArgumentListID, at time: Int64) -> Item? {
    guard let number = keys.item(of: arguments, in: trace) else { return nil }
    guard let known = lists[number] else { return Item(number: number) }
    if let list = list(of: arguments) { return Item(list: list, number: number) }
    let before = max(0, known.partitionPoint { $0.time > time } - 1)
    return Item(list: known[before].list, number: number)
  }
}
