/// Guesses what a mistyped word was meant to be.
package enum Suggestion {
  /// The most edits between two words that have to do with each other, however long they are.
  private static let maximumEdits = 3

  /// The candidate that takes the fewest edits to get to, the first one of equals; of a short word
  /// more has to be left.
  package static func nearest(to word: String, in candidates: [String]) -> String? {
    let near = candidates.map { (word: $0, distance: distance(word, $0)) }
      .filter { $0.distance <= min(maximumEdits, ($0.word.count + 2) / 3) }
    return near.min { $0.distance < $1.distance }?.word
  }

  /// How many characters have to be added, removed or replaced (Levenshtein).
  package static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right.prefix(64))
    var row = Array(0...right.count)
    for (lineNumber, character) in left.prefix(64).enumerated() {
      var diagonal = row[0]
      row[0] = lineNumber + 1
      for (index, other) in right.enumerated() {
        let replaced = diagonal + (character == other ? 0 : 1)
        diagonal = row[index + 1]
        row[index + 1] = min(replaced, diagonal + 1, row[index] + 1)
      }
    }
    return row[right.count]
  }
}
