import ScrollTraceKit

/// The options that select nothing in some traces, each reported once.
struct SelectionMistakes {
  /// The mistakes in order, each with its first trace and the number of traces.
  private var mistakes: [(option: Substring, path: String, text: String, count: Int)] = []

  /// Adds what is wrong with an option in the trace at `path`.
  mutating func add(_ text: String, path: String) {
    // What follows the semicolon is about the trace alone.
    let option = text.prefix { $0 != ";" }
    if let position = mistakes.firstIndex(where: { $0.option == option }) {
      mistakes[position].count += 1
    } else {
      mistakes.append((option, path, text, 1))
    }
  }

  /// Each mistake with its first trace, and the number of others.
  var reports: [(path: String, text: String)] {
    mistakes.map { mistake in
      let more = mistake.count - 1
      let likewise = more > 0 ? "; likewise \(Quantity.count(more, "more trace"))" : ""
      return (mistake.path, mistake.text + likewise)
    }
  }
}
