import ScrollTraceLayout
import ScrollTraceModel

/// The names of a file. An index has the same meaning in every chunk (W5).
struct RecordingNames {
  private let strings: StringTable
  /// The index of each name of the trace, or 0 if it has none yet.
  private var indexes: [UInt16]
  private var others: [String: UInt16] = [:]
  private var texts: [String] = [""]
  /// The last chunk in which each index was defined, from 1.
  private var definedIn: [UInt32] = [0]
  /// The number of truncated names.
  private(set) var cutCount = 0

  /// The largest index.
  private static let lastIndex = 0x7fff

  /// Creates the names of a file from those of a trace.
  init(_ strings: StringTable) {
    self.strings = strings
    indexes = Array(repeating: 0, count: strings.count)
  }

  /// Returns the reference to a name of the trace.
  mutating func name(_ id: StringID) -> FXTWriter.Name {
    guard id != .empty, Int(id.rawValue) < indexes.count else { return .empty }
    let known = indexes[Int(id.rawValue)]
    if known > 0 { return .index(known) }
    let name = name(strings[id])
    if case .index(let index) = name { indexes[Int(id.rawValue)] = index }
    return name
  }

  /// Returns the reference to the name of an argument.
  mutating func name(_ key: Vocabulary.Key) -> FXTWriter.Name { name(key.description) }

  /// Returns the reference to a text.
  mutating func name(_ text: String) -> FXTWriter.Name {
    if text.isEmpty { return .empty }
    if let known = others[text] { return .index(known) }
    if text.utf8.count > StringTable.maximumLength { cutCount += 1 }
    guard texts.count <= Self.lastIndex else { return .inline(text) }
    let index = UInt16(texts.count)
    texts.append(text)
    definedIn.append(0)
    others[text] = index
    return .index(index)
  }

  /// Returns the reference to a word of the vocabulary.
  mutating func name(_ word: StaticString) -> FXTWriter.Name { name(word.description) }

  /// Returns the text of an index that a chunk has not defined yet, or `nil`.
  func undefinedText(_ index: UInt16, in number: UInt32) -> String? {
    definedIn[Int(index)] == number ? nil : texts[Int(index)]
  }

  /// Marks an index as defined in a chunk.
  mutating func define(_ index: UInt16, in number: UInt32) { definedIn[Int(index)] = number }
}
