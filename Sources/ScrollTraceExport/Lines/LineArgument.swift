/// How lines call arguments whose names are keys of lines themselves.
enum LineArgument {
  /// What stands before such a name.
  static let prefix = "arg:"

  /// The keys of lines; in columns their spelling is free.
  private static let keys: Set<String> = [
    "scrolltrace", "unit", "kind", "name", "frame", "span", "mark", "counter", "interaction",
    "state", "begin", "end", "duration", "commitStart", "commitEnd", "deadline", "target",
    "presented", "interval", "at", "surface", "category", "thread", "main", "id", "item",
    "outcome", "value", "threadTime", "threadState",
  ]

  /// Whether an argument cannot be written by its bare name.
  static func needsPrefix(_ key: String) -> Bool {
    keys.contains(key) || key.hasPrefix(prefix) || key == "ph" || key == "traceEvents"
  }
}
