import ScrollTraceModel

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
  /// The collection of unused memory.
  case collection
  /// Decoding or scaling images.
  case images
  /// Making text of dates and numbers.
  case formats

  /// Creates the topic of work, or `nil` if its name says none.
  ///
  /// A category says what code is for, not what it does, and the arguments and namespaces of a name are
  /// other code, so only the name of the function counts. A name that fits several topics has the first of
  /// `allTopics`: text is measured for the layout, and a cell's layout is a part of its configuration.
  package init?(_ work: WorkName) {
    if work.category == "scrolltrace.cell" {
      self = .cells
      return
    }
    let name = work.name ?? ""
    if Self.isCollection(name) {
      self = .collection
      return
    }
    let function = QualifiedName(name)
    let allWords = Set(QualifiedName.words(of: function.plain))
    if Self.isImages(allWords) {
      self = .images
      return
    }
    if Self.statements.contains(where: name.hasPrefix) {
      self = .files
      return
    }
    let words = QualifiedName.words(of: function.path.last ?? "")
    let isOfCells = Self.otherBindings.isDisjoint(with: allWords)
    if isOfCells, Self.isCell(words) {
      self = .cells
      return
    }
    if let found = Self.allTopics.first(where: { topic, known in
      words.contains(where: known.contains) && (topic != .cells || isOfCells)
    }) {
      self = found.topic
      return
    }
    if Self.isFormats(allWords) {
      self = .formats
      return
    }
    guard Self.isStore(allWords) else { return nil }
    self = .files
  }

  /// What to do about `collection`, as the start of a sentence.
  static let allocateLess: Phrase = "Allocate less in these frames: reuse objects and buffers"

  /// What to do about `images`.
  static func decodeAhead(in toolkit: Toolkit?) -> Phrase {
    "Decode images in the background, at the displayed size\(.decodeImages, of: toolkit), and"
      + " keep them in a size-limited cache."
  }

  /// Whether a name says that work creates views, not only that it fills them.
  static func createsViews(_ work: WorkName) -> Bool {
    work.listWord == .create
      || !Set(QualifiedName.words(of: work.name ?? "")).isDisjoint(with: [
        "inflate", "create", "instantiate",
      ])
  }

  /// The words, in lowercase, of each topic.
  private static let allTopics: [(topic: WorkTopic, words: Set<String>)] = [
    (
      .cells, ["bind", "binding", "rebind", "inflate", "cell", "cells", "viewholder", "dequeue"]
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

  /// Words of a name in which bind, dequeue and inflate are not about cells.
  private static let otherBindings: Set<String> = [
    "buffer", "framebuffer", "texture", "shader", "program", "gl", "service", "socket", "zlib",
    "gzip", "stream",
  ]

  /// How statements of databases begin.
  private static let statements = ["SELECT ", "INSERT ", "UPDATE ", "DELETE "]

  /// What is done to a row that is a cell; rows of a table in a database or of numbers are none.
  private static let rowVerbs: Set<String> = [
    "configure", "create", "make", "build", "fill", "render", "update", "populate", "setup",
    "prepare", "reuse", "draw",
  ]

  /// Whether words together say that images are decoded or scaled.
  private static func isImages(_ words: Set<String>) -> Bool {
    (!words.isDisjoint(with: [
      "decode", "decoding", "decoder", "decompress", "downsample", "thumbnail", "thumbnails",
    ]) || words.isSuperset(of: ["prepare", "display"]))
      && words.isDisjoint(with: [
        "json", "xml", "html", "url", "response", "metadata", "settings", "state", "layout",
        "configure", "config",
      ])
      && !words.isDisjoint(with: [
        "image", "images", "bitmap", "drawable", "jpeg", "jpg", "png", "webp", "heic", "avif",
        "photo",
        "picture", "texture",
      ])
  }

  /// Whether words together say that dates or numbers become text.
  private static func isFormats(_ words: Set<String>) -> Bool {
    !words.isDisjoint(with: ["format", "formatted", "formatter", "formatters", "formatting"])
      && !words.isDisjoint(with: [
        "date", "dates", "time", "times", "timestamp", "duration", "number", "numbers", "decimal",
        "price", "prices", "currency", "money", "amount", "string",
      ])
  }

  /// Whether words say that something is stored, which nothing but the store itself has in its names.
  private static func isStore(_ words: Set<String>) -> Bool {
    !words.isDisjoint(with: ["sqlite", "realm", "dao"])
      || words.isSuperset(of: ["managed", "object"]) || words.isSuperset(of: ["user", "defaults"])
  }

  /// Whether two words together say that work is about cells.
  private static func isCell(_ words: [String]) -> Bool {
    let isHolder = words.contains("view") && words.contains("holder")
    return isHolder
      || words.contains("row") && words.count <= 3 && !rowVerbs.isDisjoint(with: words)
  }

  /// Whether a name is one that runtimes give to the collection of memory: `MajorGC`,
  /// `V8.GCScavenger`, `CollectOldGeneration`, `Alloc concurrent copying GC`.
  private static func isCollection(_ name: String) -> Bool {
    if name.hasPrefix("V8.GC") { return true }
    let words = Set(QualifiedName.words(of: name))
    return !words.isDisjoint(with: ["gc", "scavenge", "scavenger", "garbage"])
      || words.isSuperset(of: ["collect", "generation"])
  }
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
