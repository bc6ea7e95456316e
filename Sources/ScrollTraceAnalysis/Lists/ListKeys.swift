package import ScrollTraceModel

/// The keys of arguments about lists in one trace; `nil` if the trace does not use them.
package struct ListKeys: Sendable {
  package let list, item, position, view, kind, registration, reused, ahead: StringID?
  package let estimatedSize, size, bytes: StringID?
  /// The keys of a snapshot's counts.
  package let inserted, deleted, reconfigured, reloaded: StringID?

  package init(of strings: StringTable) {
    func id(_ text: String) -> StringID? { strings.firstID(of: text) }
    (list, item, position, view) = (id("list"), id("item"), id("position"), id("view"))
    (kind, registration, reused) = (id("kind"), id("registration"), id("reused"))
    (ahead, estimatedSize, size) = (id("ahead"), id("estimatedSize"), id("size"))
    (bytes, inserted, deleted) = (id("bytes"), id("inserted"), id("deleted"))
    (reconfigured, reloaded) = (id("reconfigured"), id("reloaded"))
  }

  func bytes(of arguments: ArgumentListID, in trace: Trace) -> UInt64? {
    switch trace.arguments.value(of: bytes, in: arguments) {
    case .unsigned(let number): number
    case .integer(let number): UInt64(exactly: number)
    default: nil
    }
  }

  package func view(of arguments: ArgumentListID, in trace: Trace) -> UInt64? {
    identity(view, of: arguments, in: trace)
  }

  package func position(of arguments: ArgumentListID, in trace: Trace) -> Int64? {
    switch trace.arguments.value(of: position, in: arguments) {
    case .integer(let number): number
    case .unsigned(let number): Int64(exactly: number)
    default: nil
    }
  }

  package func item(of arguments: ArgumentListID, in trace: Trace) -> UInt64? {
    identity(item, of: arguments, in: trace)
  }

  private func identity(
    _ key: StringID?, of arguments: ArgumentListID, in trace: Trace
  ) -> UInt64? {
    switch trace.arguments.value(of: key, in: arguments) {
    case .unsigned(let number): number
    case .integer(let number): UInt64(bitPattern: number)
    // Numbers are small, so the top bit keeps names apart from them.
    case .string(let name): UInt64(name.rawValue) | 1 << 63
    default: nil
    }
  }
}

extension ArgumentTable {
  /// Returns the value of a key, or `nil` if the trace does not use it.
  func value(of key: StringID?, in list: ArgumentListID) -> ArgumentValue? {
    key.flatMap { value(of: $0, in: list) }
  }
}

/// A word of the vocabulary that is about lists.
package enum ListWord: String, Sendable {
  case prepare, size, dequeue, create, prepareForReuse, configure, fetch
  case willDisplay, didEndDisplaying, discard
  case load, prefetch, cancelPrefetch, lateResult, applySnapshot
  case decode, thumbnail, placeholder, final, cacheHit, cacheMiss, evict

  package init?(category: String, name: String) {
    self.init(rawValue: name)
    guard category == self.category else { return nil }
  }

  private var category: String {
    switch self {
    case .prepare, .size, .dequeue, .create, .prepareForReuse, .configure, .fetch, .willDisplay,
      .didEndDisplaying, .discard:
      "scrolltrace.cell"
    case .load, .prefetch, .cancelPrefetch, .lateResult, .applySnapshot: "scrolltrace.data"
    case .decode, .thumbnail, .placeholder, .final, .cacheHit, .cacheMiss, .evict:
      "scrolltrace.image"
    }
  }

  /// Whether the word is a step of a cell's preparation without measurements of its own.
  var isPlainStep: Bool {
    switch self {
    case .dequeue, .create, .prepareForReuse, .configure, .fetch: true
    default: false
    }
  }
}

/// The words of a trace's labels.
package struct ListWords: Sendable {
  private let words: [ListWord?]
  let isEmpty: Bool

  package init(of trace: Trace) {
    words = trace.labels.labels.map { label in
      ListWord(category: trace.strings[label.category], name: trace.strings[label.name])
    }
    isEmpty = words.allSatisfy { $0 == nil }
  }

  @inline(__always)
  package subscript(label: LabelID) -> ListWord? {
    let index = Int(label.rawValue)
    return index < words.count ? words[index] : nil
  }
}

extension WorkName {
  var listWord: ListWord? { ListWord(category: category, name: name ?? "") }
}

/// An event of an item of a list.
struct ItemEvent {
  /// The kind of an event, in the order of events at the same time.
  enum Kind: UInt8 {
    case hidden, prepared, loaded, requested, cancelled, discarded, displayed, placeholder, final
  }

  var item: UInt64
  /// The time in nanoseconds.
  var time: Int64
  /// The position of a preparation among all of them.
  var preparation: UInt32
  var list: Int16
  var kind: Kind
}
