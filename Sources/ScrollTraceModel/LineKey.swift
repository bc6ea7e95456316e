/// The keys that have a meaning in any line of NDJSON, for its reader and its writer; the cases are
/// their spelling.
///
/// Tables have columns with most of these names.
@usableFromInline package enum LineKey: Int, CodingKey, CaseIterable, Sendable {
  case scrolltrace, unit, kind, name
  case frame, span, mark, counter, interaction, state, hitch
  case begin, end, duration, commitStart, commitEnd, deadline, target, presented, interval, at
  case surface, category, thread, main, id, item, outcome, value
  case threadTime, threadState

  /// The second spelling of some keys.
  package static let synonyms: [String: LineKey] = ["start": .begin, "refreshInterval": .interval]

  @usableFromInline package var description: String { stringValue }

  package init?(spelling: String) {
    guard let key = LineKey(stringValue: spelling) ?? Self.synonyms[spelling] else { return nil }
    self = key
  }
}

/// The keys of lines that hold no arguments: they have a meaning there, and are arguments elsewhere.
package enum LineDetail: String, CaseIterable, Sendable {
  /// In the first line.
  case process, tellsLength
  /// Of a frame.
  case label, commitSpan
  /// Of a thread.
  case complete
  /// Of a surface.
  case tolerance, grid, numbered, display, estimatedInterval, basis
}

/// The names of arguments in lines, where the keys of lines stand beside them.
package enum LineArgument {
  /// The prefix of a name that would have another meaning.
  private static let prefix = "arg:"

  /// The names with which a trace in Chrome's format is recognized.
  package static let chromeKeys: Set<String> = ["ph", "traceEvents"]

  package static func key(of name: String) -> String {
    let isTaken =
      LineKey(spelling: name) != nil || chromeKeys.contains(name) || name.hasPrefix(prefix)
    return isTaken ? prefix + name : name
  }

  package static func name(of key: String) -> String {
    key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key
  }
}
