package import ScrollTraceModel

/// A word of the vocabulary that is about lists.
package enum ListWord: UInt8, Sendable {
  case prepare, size, dequeue, create, prepareForReuse, configure, fetch
  case willDisplay, didEndDisplaying, discard
  case load, prefetch, cancelPrefetch, lateResult, applySnapshot
  case decode, thumbnail, placeholder, final, cacheHit, cacheMiss, evict

  /// Creates the word of a label, or `nil` if the label is about something else.
  package init?(category: String, name: String) {
    switch (category, name) {
    case ("scrolltrace.cell", "prepare"): self = .prepare
    case ("scrolltrace.cell", "size"): self = .size
    case ("scrolltrace.cell", "dequeue"): self = .dequeue
    case ("scrolltrace.cell", "create"): self = .create
    case ("scrolltrace.cell", "prepareForReuse"): self = .prepareForReuse
    case ("scrolltrace.cell", "configure"): self = .configure
    case ("scrolltrace.cell", "fetch"): self = .fetch
    case ("scrolltrace.cell", "willDisplay"): self = .willDisplay
    case ("scrolltrace.cell", "didEndDisplaying"): self = .didEndDisplaying
    case ("scrolltrace.cell", "discard"): self = .discard
    case ("scrolltrace.data", "load"): self = .load
    case ("scrolltrace.data", "prefetch"): self = .prefetch
    case ("scrolltrace.data", "cancelPrefetch"): self = .cancelPrefetch
    case ("scrolltrace.data", "lateResult"): self = .lateResult
    case ("scrolltrace.data", "applySnapshot"): self = .applySnapshot
    case ("scrolltrace.image", "decode"): self = .decode
    case ("scrolltrace.image", "thumbnail"): self = .thumbnail
    case ("scrolltrace.image", "placeholder"): self = .placeholder
    case ("scrolltrace.image", "final"): self = .final
    case ("scrolltrace.image", "cacheHit"): self = .cacheHit
    case ("scrolltrace.image", "cacheMiss"): self = .cacheMiss
    case ("scrolltrace.image", "evict"): self = .evict
    default: return nil
    }
  }

  /// A Boolean value indicating whether the word is a step of a cell's preparation without
  /// measurements of its own.
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
  /// A Boolean value indicating whether no label is about lists.
  let isEmpty: Bool

  package init(of trace: Trace) {
    words = trace.labels.labels.map { label in
      ListWord(category: trace.strings[label.category], name: trace.strings[label.name])
    }
    isEmpty = words.allSatisfy { $0 == nil }
  }

  /// The word of a label, or `nil` if the label is about something else.
  @inline(__always)
  package subscript(label: LabelID) -> ListWord? {
    let index = Int(label.rawValue)
    return index < words.count ? words[index] : nil
  }
}
