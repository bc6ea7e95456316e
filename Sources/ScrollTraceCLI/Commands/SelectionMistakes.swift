import ScrollTraceKit

/// The options that select nothing in some traces, each reported once.
struct SelectionMistakes {
  private struct Mistake {
    var path: String
    var text: String
    var count: Int
  }

  /// The mistakes in order, each with its first trace.
  private var mistakes: [Mistake] = []
  private var positions: [String: Int] = [:]

  /// Adds what is wrong with an option in the trace at `path`.
  mutating func add(_ text: String, path: String) {
    // What follows the semicolon is about the trace alone.
    let option = String(text.prefix { $0 != ";" })
    if let position = positions[option] {
      mistakes[position].count += 1
    } else {
      positions[option] = mistakes.count
      mistakes.append(Mistake(path: path, text: text, count: 1))
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
