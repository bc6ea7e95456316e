/// What has to be written so that a terminal shows other lines than before.
enum LiveLineDiff {
  /// The text, as one picture that appears at once where the terminal can; empty for no change.
  ///
  /// - Parameters:
  ///   - old: What is shown; `nil` where nobody knows.
  ///   - new: What is to be shown.
  static func text(from old: [String]?, to new: [String]) -> String {
    var text = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    let old = old ?? []
    for row in 0..<max(old.count, new.count) {
      let line = row < new.count ? new[row] : ""
      guard line != (row < old.count ? old[row] : "") else { continue }
      // Cleared first: behind a line as wide as the terminal that would take its last character.
      text += "\u{1B}[\(row + 1);1H\u{1B}[2K" + line
    }
    return text.isEmpty ? "" : "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
  }
}
