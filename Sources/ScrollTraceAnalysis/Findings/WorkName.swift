import ScrollTraceModel

/// What main-thread work is about, as far as its name says, which decides the advice on it.
package enum WorkTopic: String, Equatable, Sendable {
  /// Creating or configuring the cells of a list.
  case cells
  /// Creating other views, or objects of a game.
  case views
  /// Loading all of a list again.
  case reloads
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
  /// Handing images over to the GPU.
  case textures
  /// Compiling shaders.
  case shaders
  /// Loading and registering fonts.
  case fonts
  /// Making text of dates and numbers.
  case formats

  /// Creates the topic of work, or `nil` if its name says none.
  ///
  /// A category says what code is for, not what it does, and the arguments and namespaces of a name are
  /// other code, so only the name of the function counts, except where words name one thing alone. A name that
  /// fits several topics has the first: text is measured for the layout, and a cell's layout is a part of its
  /// configuration.
  package init?(_ work: WorkName) {
    if work.category == "scrolltrace.cell" {
      self = .cells
      return
    }
    guard let topic = NameWords(work.name ?? "").topic else { return nil }
    self = topic
  }

  /// What to do about `collection`, as the start of a sentence.
  static let allocateLess: Phrase = "Allocate less in these frames: reuse objects and buffers"

  /// What to do about main-thread work, or `nil` if the topic alone does not say.
  func fix(in toolkit: Toolkit?) -> Phrase? {
    switch self {
    case .text:
      // Only the isolate of the user interface can lay out text.
      let ahead: Phrase =
        toolkit == .flutter
        ? "when nothing moves" : "in the background\(.background, of: toolkit)"
      return
        "Shape and measure text ahead, \(ahead), cache the"
        + " result for each text, font and width, and display less of long texts."
    case .layout:
      return
        "Lay out and measure only what is visible or changed, leave the rest valid, and cache"
        + " measured sizes."
    case .formats:
      return
        "Format dates and numbers when the data arrives\(.background, of: toolkit), keep the text with"
        + " the item, and create each formatter once."
    case .files:
      return
        "Read and write files in the background\(.background, of: toolkit) before their content"
        + " is needed, and keep what is needed in memory."
    case .collection: return Self.allocateLess + "."
    case .views: return Self.createFewer(in: toolkit)
    case .reloads:
      return
        "Change single items\(.applyDifferences, of: toolkit), and do not load all of the list again."
    case .textures: return Self.uploadLess(in: toolkit)
    case .shaders: return Self.warmUpShaders
    case .fonts:
      return
        "Load and register fonts once, before the scroll\(.loadFonts, of: toolkit), and keep them,"
        + " also one with the characters that the others lack."
    case .cells, .images: return nil
    }
  }

  /// What to do about `images`.
  static func decodeAhead(in toolkit: Toolkit?) -> Phrase {
    "Decode images in the background, at the displayed size\(.decodeImages, of: toolkit), and"
      + " keep them in a size-limited cache."
  }

  /// What to do about `cells` that are filled.
  static func fillAhead(in toolkit: Toolkit?) -> Phrase {
    "Compute text, sizes and images ahead, in the background\(.background, of: toolkit), and"
      + " cache them; change only what differs from the cell's previous content."
  }

  /// What to do about work inside a cell whose name says nothing of what it is about.
  static func keepOutOfCell(_ work: WorkName, in toolkit: Toolkit?) -> Phrase {
    if draws(work) { return drawOnce }
    if isOfViews(work) {
      return
        "Create what it needs once, before the scroll, and reuse it; do this only if the content of the cell"
        + " changed."
    }
    return
      "Do it when the data arrives, in the background\(.background, of: toolkit), not in the cell, and"
      + " keep the result with the item."
  }

  /// What to do about drawing that is repeated.
  static let drawOnce: Phrase =
    "Draw only what is new or changed, and keep what is drawn as an image or a layer."

  /// What to do about views that are created, of cells or others.
  static func createFewer(in toolkit: Toolkit?) -> Phrase {
    "Create fewer and simpler \(words: toolkit == .gameLoop ? "objects" : "views"), reuse"
      + " them\(.reuseCells, of: toolkit), and create the first ones before the scroll."
  }

  /// What to do about `shaders`.
  static let warmUpShaders: Phrase =
    "Have shaders ready before the scroll: compile them at the start, keep what is compiled, and use fewer"
    + " kinds of effects."

  /// What to do about `textures`.
  static func uploadLess(in toolkit: Toolkit?) -> Phrase {
    "Decode images at the displayed size\(.decodeImages, of: toolkit), and upload them before they are"
      + " displayed\(.uploadImages, of: toolkit), few in a frame."
  }

  /// Whether a name says that work creates views, not only that it fills them.
  static func createsViews(_ work: WorkName) -> Bool {
    let words = Set(QualifiedName.words(of: work.name ?? ""))
    return work.listWord == .create
      || !words.isDisjoint(with: ["inflate", "create", "instantiate"])
      || words.isSuperset(of: ["setup", "listitem"])
  }

  /// Whether a name says that work draws.
  static func draws(_ work: WorkName) -> Bool {
    NameWords(work.name ?? "").ownHas(["draw", "redraw", "drawing", "paint", "stroke", "rasterize"])
  }

  /// Whether a name is that of work on views, most of which only the main thread may do.
  static func isOfViews(_ work: WorkName) -> Bool {
    let words = NameWords(work.name ?? "")
    return words.has([
      "view", "views", "subviews", "webview", "player", "layer", "layers", "widget", "widgets",
      "window", "draw", "redraw", "paint", "render", "rendering", "effect", "effects", "animation",
      "animations", "animate", "style", "styles", "scroll", "scrolling", "input", "touch",
      "gesture", "keyboard", "screen", "toolbar", "observer", "intersections", "culling", "camera",
      "canvas", "canvases", "blur", "shadow", "shadows", "gradient", "parallax", "snapshot", "qml",
    ]) || words.all.first.map(["ca", "ui", "gtk", "gsk", "qsg"].contains) ?? false
      || words.all.starts(with: ["q", "quick"])
  }

  /// What of it only the main thread may touch, if work may do that: `views`, or `DOM` in a web page; else `nil`.
  ///
  /// In a page, all scripts but those that only compute may. A function of samples has no category.
  static func needs(_ work: WorkName, in toolkit: Toolkit?) -> String? {
    guard toolkit == .web else { return isOfViews(work) ? "views" : nil }
    let isScript = work.isScript || work.category.isEmpty
    return isScript && !NameWords(work.name ?? "").has(computations) || isOfViews(work)
      ? "DOM" : nil
  }

  /// Words for what a script does without its page.
  private static let computations: Set<String> = [
    "parse", "json", "decode", "compress", "decompress", "encrypt", "decrypt", "hash", "sort",
    "search", "index", "tokenize", "score", "rank", "compute", "calculate",
  ]

  /// Whether work makes a store larger: `GlyphAtlas.grow`.
  static func grows(_ work: WorkName) -> Bool {
    NameWords(work.name ?? "").ownHas(["grow", "rehash", "realloc", "reallocate"])
  }
}

/// The words of a name, in which topics are looked for.
private struct NameWords {
  let name: String
  let function: QualifiedName
  /// The words of the whole name, without arguments, in lowercase.
  let all: [String]
  /// Those of the function's own name.
  let own: [String]
  private let allOnce: Set<String>
  private let ownOnce: Set<String>

  init(_ name: String) {
    self.name = name
    function = QualifiedName(name)
    all = QualifiedName.words(of: function.plain)
    own = QualifiedName.words(of: function.path.last ?? "")
    (allOnce, ownOnce) = (Set(all), Set(own))
  }

  func has(_ words: Set<String>) -> Bool { !allOnce.isDisjoint(with: words) }
  func hasAll(_ words: Set<String>) -> Bool { allOnce.isSuperset(of: words) }
  func hasAny(_ words: Set<String>, and others: Set<String>) -> Bool { has(words) && has(others) }
  func ownHas(_ words: Set<String>) -> Bool { !ownOnce.isDisjoint(with: words) }
  func ownHasAll(_ words: Set<String>) -> Bool { ownOnce.isSuperset(of: words) }

  /// The words of what the function belongs to.
  private var type: [String] {
    QualifiedName.words(of: function.path.dropLast().last ?? "")
  }

  /// The first topic that the words say, or `nil` if they say none.
  var topic: WorkTopic? {
    if areOfCollection { return .collection }
    if areOfImages { return .images }
    if hasAny(["upload", "uploads", "uploading"], and: ["texture", "textures", "bitmap"]),
      !has(["glyph"])
    {
      return .textures
    }
    let compiling: Set = ["compile", "compiling", "compilation", "create", "link", "warmup"]
    if hasAny(["shader", "shaders"], and: compiling) { return .shaders }
    if areStatement { return .files }
    if areOfCells { return .cells }
    if WorkName(category: "", name: name).isReload { return .reloads }
    if createViews { return .views }
    if hasAny(["font", "fonts", "typeface"], and: ["register", "load", "create", "fallback"]) {
      return .fonts
    }
    if areOfText { return .text }
    if areOfLayout { return .layout }
    if ownHas(Self.files) { return .files }
    if areOfFormats { return .formats }
    return areOfStore ? .files : nil
  }

  private static let files: Set<String> = [
    "file", "files", "disk", "fread", "fwrite", "pread", "fsync", "sqlite", "sql", "database", "db",
  ]

  // MARK: - Cells and views

  /// Words of a name in which bind, dequeue and inflate are not about cells.
  private static let otherBindings: Set<String> = [
    "buffer", "framebuffer", "texture", "shader", "program", "gl", "service", "socket", "zlib",
    "gzip", "stream",
  ]

  /// What is done to a row that is a cell; rows of a table in a database or of numbers are none, and rows that
  /// are drawn may be those of a canvas, which draws all of them in each frame.
  private static let rowVerbs: Set<String> = [
    "configure", "create", "make", "build", "fill", "render", "update", "populate", "setup",
    "prepare", "reuse",
  ]

  var areOfCells: Bool {
    guard !has(Self.otherBindings) else { return false }
    if ownHas([
      "bind", "binding", "rebind", "inflate", "cell", "cells", "viewholder", "dequeue",
    ]) || ownHasAll(["view", "holder"]) || name.hasPrefix("RV CreateView") {
      return true
    }
    guard ownHas(Self.rowVerbs) else { return false }
    return ownHas(["row"]) && own.count <= 3 || ownHas(["listitem"]) || isOfCellType
  }

  /// Whether the function is one of a type of cells that does something to them: `FeedCell.configure(with:)`.
  private var isOfCellType: Bool {
    guard type.count > 1, let noun = type.last, let verb = own.first else { return false }
    return ["cell", "row"].contains(noun) && Self.rowVerbs.contains(verb)
      && Set(type).isDisjoint(with: ["database", "db", "sql", "csv", "result", "query", "data"])
  }

  /// What toolkits call the types that create views of anything.
  private static let creators = [
    "QQmlComponent", "DataTemplate", "ControlTemplate", "ItemContainerGenerator",
  ]

  /// Whether views are created: `makeContentView`, `-[WKWebView initWithFrame:]`, `DataTemplate.Build`.
  var createViews: Bool {
    let nouns: Set = [
      "view", "views", "widget", "webview", "nib", "storyboard", "card", "component", "control",
    ]
    if has(["create", "build", "load", "generate"]),
      Self.creators.contains(where: { function.plain.includes($0) })
    {
      return true
    }
    guard !has(["model", "matrix", "projection", "database", "db", "sql", "state", "data"]) else {
      return false
    }
    if ownHas(["instantiate"]) || all.first == "gtk" && ownHas(["new", "builder"]) { return true }
    if ownHas(["init"]) { return has(nouns) }
    guard let verb = own.firstIndex(where: ["create", "make", "build", "new"].contains) else {
      return false
    }
    return !nouns.isDisjoint(with: own[verb...])
  }

  private static let layouts: Set<String> = [
    "layout", "relayout", "measure", "remeasure", "arrange", "constraints", "autolayout", "reflow",
  ]

  /// Whether the name is about layout, or the function only runs that of what it belongs to:
  /// `LayoutRebuilder.Rebuild`.
  private var areOfLayout: Bool {
    if ownHas(Self.layouts)
      || [["size", "fits"], ["size", "allocate"], ["place", "subviews"]].contains(where: ownHasAll)
    {
      return true
    }
    guard own.count == 1, let verb = own.first else { return false }
    return type.contains("layout") && ["rebuild", "perform", "execute", "run"].contains(verb)
  }

  // MARK: - Text, images and data

  /// Whether the name is about text, or text is styled or laid out, as in `TextPainter.layout`, or its bounds are
  /// asked for, which need its layout.
  private var areOfText: Bool {
    ownHas([
      "text", "shaping", "glyph", "glyphs", "font", "fonts", "typeset", "paragraph", "harfbuzz",
      "pango", "coretext",
    ])
      || hasAll(["attributed", "string"])
      || type.contains("text") && (ownHas(Self.layouts) || ownHasAll(["update", "size"]))
      || ["boundingRect(with:", "boundingRectWithSize:"].contains { name.includes($0) }
  }

  /// Whether words together say that images are decoded or scaled.
  var areOfImages: Bool {
    guard
      !has([
        "json", "xml", "html", "url", "response", "metadata", "settings", "state", "layout",
        "configure", "config",
      ])
    else { return false }
    let isDecoding =
      has(["decode", "decoding", "decoder", "decompress", "downsample"])
      || hasAll(["prepare", "display"])
    let isOfThumbnail = has(["thumbnail", "thumbnails"])
    let isOfImage = has([
      "image", "images", "bitmap", "drawable", "jpeg", "jpg", "png", "webp", "heic", "avif",
      "photo", "picture", "texture", "pixbuf", "glide", "coil", "fresco",
    ])
    return isDecoding && (isOfImage || isOfThumbnail) || isOfThumbnail && isOfImage
      || Self.decodings.contains(where: hasAll) || createsImage
  }

  /// What systems call the making of an image's pixels.
  private static let decodings: [Set<String>] = [
    ["cg", "image", "source", "create"], ["copy", "cg", "image"], ["ca", "render", "image"],
    ["v", "image", "scale"], ["scaled", "bitmap"], ["pixbuf", "new"], ["pixbuf", "scale"],
    ["get", "drawable"], ["drawable", "inflate"],
  ]

  /// Whether an image is made of a file or of data: `UIImage(named:)`, `+[UIImage imageNamed:]`.
  private var createsImage: Bool {
    let images: Set<Substring> = ["UIImage", "NSImage", "AsyncImage"]
    guard let last = function.path.last else { return false }
    if images.contains(last) { return true }
    guard let type = function.path.dropLast().last, images.contains(type) else { return false }
    return own.first == "init" || own.first == "image"
  }

  /// Whether words together say that dates or numbers become text.
  var areOfFormats: Bool {
    hasAny(
      ["format", "formatted", "formatter", "formatters", "formatting"],
      and: [
        "date", "dates", "time", "times", "timestamp", "duration", "number", "numbers", "decimal",
        "price", "prices", "currency", "money", "amount", "string",
      ])
  }

  /// Whether the name is a statement of a database.
  var areStatement: Bool {
    ["SELECT ", "INSERT ", "UPDATE ", "DELETE "].contains { name.hasPrefix($0) }
  }

  /// Whether words say that something is stored, which nothing but the store itself has in its names.
  var areOfStore: Bool {
    let stores: [Set<String>] = [
      ["managed", "object"], ["user", "defaults"], ["shared", "preferences"], ["room", "query"],
      ["content", "resolver"],
    ]
    return has(["sqlite", "realm", "dao"]) || stores.contains(where: hasAll)
  }

  /// Whether a name is one that runtimes give to the collection of memory: `MajorGC`,
  /// `V8.GCScavenger`, `CollectOldGeneration`, `Alloc concurrent copying GC`.
  var areOfCollection: Bool {
    name.hasPrefix("V8.GC") || name == "(garbage collector)"
      || has(["gc", "scavenge", "scavenger", "garbage"])
      || hasAll(["collect", "generation"])
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

extension WorkName {
  /// Whether it is a toolkit's reload of a whole list, whatever changed: `-[UITableView reloadData]`.
  var isReload: Bool {
    isModelReset || isCall(of: ["reloadData", "notifyDataSetChanged", "RV FullInvalidate"])
  }

  /// Whether it is a reload that discards the cells too.
  var isModelReset: Bool { isCall(of: ["endResetModel", "modelReset"]) }

  /// Whether it gives a list other items, from whose differences the list finds what to prepare.
  var isListUpdate: Bool { isCall(of: ["presentNewList", "submitList", "dispatchUpdatesTo"]) }

  /// Whether the name, without arguments, ends with one of these functions.
  private func isCall(of functions: [String]) -> Bool {
    guard let name else { return false }
    var called = name.utf8.prefix { $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: "]") }
    while called.last == UInt8(ascii: " ") { called.removeLast() }
    return functions.contains { function in
      guard called.reversed().starts(with: function.utf8.reversed()) else { return false }
      // `preloadData` is another function.
      let before = called.dropLast(function.utf8.count).last
      return before.map { !Character(UnicodeScalar($0)).isLetter } ?? true
    }
  }
}
