/// The names of arguments that are also keys of lines.
enum LineArgument {
  /// The prefix of such a name.
  static let prefix = "arg:"

  /// The keys of lines. In columns, their spelling varies.
  private static let keys: Set<String> = [
    "scrolltrace", "unit", "kind", "name", "frame", "span", "mark", "counter", "interaction",
    "state", "begin", "end", "duration", "commitStart", "commitEnd", "deadline", "target",
    "presented", "interval", "at", "surface", "category", "thread", "main", "id", "item",
    "outcome", "value", "threadTime", "threadState",
  ]

  /// Returns the key of an argument in lines.
  static func key(_ key: String) -> String { needsPrefix(key) ? prefix + key : key }

  /// Returns whether an argument needs the prefix.
  static func needsPrefix(_ key: String) -> Bool {
    keys.contains(key) || key.hasPrefix(prefix) || key == "ph" || key == "traceEvents"
  }
}
