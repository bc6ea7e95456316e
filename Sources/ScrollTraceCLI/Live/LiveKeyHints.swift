/// The line that says what keys do.
struct LiveKeyHints {
  /// Keys and what they do, in order.
  let hints: [(key: String, meaning: String)]
  /// How soon each goes where there is no room; those of 0 stay.
  let ranks: [Int]

  /// The line, with as much of it as fits into `room` columns.
  func line(fitting room: Int) -> LiveText {
    hints.map { key, meaning in
      var text = LiveText(key, .text, isBold: true)
      text.append(" " + meaning, .quiet)
      return text
    }.joined(fitting: room, ranks: ranks)
  }
}
