import ScrollTraceModel

/// What a trace's `metadata` says about data that was lost before the trace was written.
enum ChromeTraceStatistics {
  /// Words in the names of counters of `trace_processor_stats` that count lost data.
  private static let words = [
    "chunks_overwritten", "chunks_discarded", "data_loss", "packet_loss", "packet_skipped",
    "packets_skipped", "patches_failed", "sequences_dropped", "dropped_packets_outside", "_lost",
    "_overrun", "parser_errors", "tokenizer_errors",
  ]

  /// Counts as lost what the counters that are not zero say, and names them.
  static func countLosses(in metadata: JSONView, _ builder: inout TraceBuilder) {
    var found: [(name: String, value: Int64)] = []
    metadata.member("trace_processor_stats")?.forEachMember { name, value in
      let text = String(decoding: name, as: UTF8.self)
      if value.kind == .array {
        var index = 0
        value.forEachElement { element in
          collect(from: element, named: "\(text)[\(index)]", into: &found)
          index += 1
        }
      } else if value.kind == .object {
        collect(from: value, named: text, into: &found)
      } else {
        add(text, value, name: text, to: &found)
      }
      return true
    }
    guard !found.isEmpty else { return }
    for (_, value) in found {
      builder.countLoss(.sourceDroppedRecords, count: UInt64(clamping: value))
    }
    let list = found.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    builder.addNotice(.source("the tracing system lost data before the trace was written: \(list)"))
  }

  private static func collect(
    from object: JSONView, named prefix: String, into found: inout [(name: String, value: Int64)]
  ) {
    object.forEachMember { name, value in
      let text = String(decoding: name, as: UTF8.self)
      add(text, value, name: "\(prefix).\(text)", to: &found)
      return true
    }
  }

  private static func add(
    _ key: String, _ value: JSONView, name: String, to found: inout [(name: String, value: Int64)]
  ) {
    // A hostile list of counters ends here.
    guard found.count < 64, words.contains(where: key.contains) else { return }
    guard let count = value.integer, count > 0 else { return }
    found.append((name, count))
  }
}
