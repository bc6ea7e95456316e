import ScrollTraceModel

/// What the vocabulary says of lists, as far as it is measured.
enum ListWord: UInt8 {
  case prepare, step, size, willDisplay, didEndDisplaying, discard
  case load, prefetch, cancelPrefetch, lateResult, applySnapshot
  case decode, placeholder, final, cacheHit, cacheMiss, evict

  /// The word of a label; `nil` for any other.
  init?(category: String, name: String) {
    switch (category, name) {
    case ("scrolltrace.cell", "prepare"): self = .prepare
    case ("scrolltrace.cell", "size"): self = .size
    case ("scrolltrace.cell", "dequeue"), ("scrolltrace.cell", "create"),
      ("scrolltrace.cell", "prepareForReuse"), ("scrolltrace.cell", "configure"),
      ("scrolltrace.cell", "fetch"):
      self = .step
    case ("scrolltrace.cell", "willDisplay"): self = .willDisplay
    case ("scrolltrace.cell", "didEndDisplaying"): self = .didEndDisplaying
    case ("scrolltrace.cell", "discard"): self = .discard
    case ("scrolltrace.data", "load"): self = .load
    case ("scrolltrace.data", "prefetch"): self = .prefetch
    case ("scrolltrace.data", "cancelPrefetch"): self = .cancelPrefetch
    case ("scrolltrace.data", "lateResult"): self = .lateResult
    case ("scrolltrace.data", "applySnapshot"): self = .applySnapshot
    case ("scrolltrace.image", "decode"), ("scrolltrace.image", "thumbnail"): self = .decode
    case ("scrolltrace.image", "placeholder"): self = .placeholder
    case ("scrolltrace.image", "final"): self = .final
    case ("scrolltrace.image", "cacheHit"): self = .cacheHit
    case ("scrolltrace.image", "cacheMiss"): self = .cacheMiss
    case ("scrolltrace.image", "evict"): self = .evict
    default: return nil
    }
  }
}

/// The words of a trace's labels.
struct ListWords {
  private let words: [ListWord?]
  /// Whether the trace says anything of lists.
  let isEmpty: Bool

  /// The words in `trace`.
  init(of trace: Trace) {
    words = trace.labels.labels.map { label in
      ListWord(category: trace.strings[label.category], name: trace.strings[label.name])
    }
    isEmpty = words.allSatisfy { $0 == nil }
  }

  /// The word of a label.
  @inline(__always)
  subscript(label: LabelID) -> ListWord? {
    let index = Int(label.rawValue)
    return index < words.count ? words[index] : nil
  }
}
