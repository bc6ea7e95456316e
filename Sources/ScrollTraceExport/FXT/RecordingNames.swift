import ScrollTraceLayout
import ScrollTraceModel

/// The names of a file of the profile: an index means the same in every chunk (W5).
struct RecordingNames {
  private let strings: StringTable
  /// The index of each name of the trace; 0 where it has none yet.
  private var indexes: [UInt16]
  private var others: [String: UInt16] = [:]
  private var texts: [String] = [""]
  /// The last chunk in which each index was defined, from 1 on.
  private var definedIn: [UInt32] = [0]
  /// How many names were cut, since readers keep no more of them.
  private(set) var cutCount = 0

  /// The last index there is.
  private static let lastIndex = 0x7fff

  /// The names of a file that is made from a trace with these.
  init(_ strings: StringTable) {
    self.strings = strings
    indexes = Array(repeating: 0, count: strings.count)
  }

  /// The reference to a name of the trace.
  mutating func name(_ id: StringID) -> FXTWriter.Name {
    guard id != .empty, Int(id.rawValue) < indexes.count else { return .empty }
    let known = indexes[Int(id.rawValue)]
    if known > 0 { return .index(known) }
    let name = name(strings[id])
    if case .index(let index) = name { indexes[Int(id.rawValue)] = index }
    return name
  }

  /// The reference to any name.
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

  /// The reference to a word of the vocabulary.
  mutating func name(_ word: StaticString) -> FXTWriter.Name { name(word.description) }

  /// The text of an index that chunk `number`, from 1 on, has not defined yet; else `nil`.
  func undefinedText(_ index: UInt16, in number: UInt32) -> String? {
    definedIn[Int(index)] == number ? nil : texts[Int(index)]
  }

  /// Notes that chunk `number` has defined `index`.
  mutating func define(_ index: UInt16, in number: UInt32) { definedIn[Int(index)] = number }
}
