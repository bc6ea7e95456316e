/// `scrolltrace-bench effects`: the table of effects and of their limits.
enum EffectCommand {
  static func run() -> Int32 {
    do {
      print(try table().joined(separator: "\n"))
      return 0
    } catch {
      Console.warn("scrolltrace-bench: \(error)")
      return 2
    }
  }

  /// The lines of the table in Markdown.
  static func table() throws -> [String] {
    try ["| | effect | measured | it disappears |", "|---|---|---|---|"]
      + Effect.all.map { try $0.tableRow($0.result()) }
  }
}
