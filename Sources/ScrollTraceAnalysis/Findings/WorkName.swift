/// What main-thread work is about, as far as its name says, which decides the advice on it.
package enum WorkTopic: String, Equatable, Sendable {
  /// Creating or configuring the cells of a list.
  case cells
  /// Shaping and measuring text.
  case text
  /// Placing and measuring views.
  case layout
  /// Reading or writing files and databases.
  case files

  /// Creates the topic of work, or `nil` if its name says none.
  ///
  /// A name that fits several has the first of `allTopics`: text is measured for the layout, and a
  /// cell's layout is a part of its configuration.
  package init?(_ work: WorkName) {
    if work.category == "scrolltrace.cell" {
      self = .cells
      return
    }
    let words = Self.words(of: work.name ?? "") + Self.words(of: work.category)
    let found = Self.allTopics.first { topic, known in words.contains(where: known.contains) }
    guard let found else { return nil }
    self = found.topic
  }

  /// The words, in lowercase, of each topic.
  private static let allTopics: [(topic: WorkTopic, words: Set<String>)] = [
    (
      .cells,
      ["bind", "binding", "rebind", "inflate", "cell", "cells", "row", "viewholder", "dequeue"]
    ),
    (
      .text,
      [
        "text", "shaping", "glyph", "glyphs", "font", "fonts", "typeset", "paragraph",
        "harfbuzz", "pango", "coretext",
      ]
    ),
    (
      .layout,
      ["layout", "relayout", "measure", "remeasure", "constraints", "autolayout"]
    ),
    (
      .files,
      [
        "file", "files", "disk", "fread", "fwrite", "pread", "fsync", "sqlite", "sql", "database",
        "db",
      ]
    ),
  ]

  /// The words of a name in lowercase: `RV OnBindView` has `rv`, `on`, `bind` and `view`.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var (word, wasLowercase) = ("", false)
    func end() {
      if !word.isEmpty { words.append(word.lowercased()) }
      word = ""
    }
    for character in name.prefix(longestName) {
      if !character.isLetter || (character.isUppercase && wasLowercase) { end() }
      if character.isLetter { word.append(character) }
      wasLowercase = character.isLowercase
    }
    end()
    return words
  }

  private static let longestName = 256
}

/// The main-thread work of a category, or of one name in it.
package struct WorkName: Hashable, Sendable {
  package let category: String
  /// The name, or `nil` for all of the category.
  package let name: String?

  package init(category: String, name: String? = nil) {
    self.category = category
    self.name = name
  }
}
