internal import ScrollTraceLayout

/// The texts of a recording. Each has a number, which is the same in all chunks (W5).
///
/// The bytes are copied once and never freed, because names point to them. Numbers above
/// `lastIndex` have no place in FXT's string table; such texts are inline.
struct NameTable {
  /// The number of a text.
  typealias Number = UInt32

  /// The largest number that is an index in the file.
  static var lastIndex: Number { 0x7FFF }
  /// The maximum number of texts.
  static var maximumCount: Int { 1 << 20 }
  /// The maximum length of a text in bytes. Six of them, the names of the process and thread and
  /// the four of an event, fit into one chunk together.
  static var maximumLength: Int { 4_000 }

  private var texts: [UnsafeRawBufferPointer] = []
  private var numbers: [[UInt8]: Number] = [:]
  /// The memory for the next texts.
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)[...]

  /// A table with the argument keys, whose numbers are fixed.
  ///
  /// Without thread times it has none of their keys: such recordings have the bytes they always had.
  init(hasThreadTimes: Bool) {
    texts.append(UnsafeRawBufferPointer(start: nil, count: 0))
    numbers[[]] = 0
    for key in ArgumentKey.allCases where hasThreadTimes || !key.isThreadTime {
      _ = number(
        of: UnsafeRawBufferPointer(start: key.text.utf8Start, count: key.text.utf8CodeUnitCount))
    }
  }

  /// The number of texts, including the empty one.
  var count: Int { texts.count }

  /// Returns the number of a text, adding it if necessary, or `nil` if it is too long or there are
  /// too many.
  mutating func number(of bytes: UnsafeRawBufferPointer) -> Number? {
    guard bytes.count <= Self.maximumLength else { return nil }
    let text = [UInt8](bytes)
    if let number = numbers[text] { return number }
    guard texts.count < Self.maximumCount else { return nil }
    let number = Number(texts.count)
    texts.append(keep(bytes))
    numbers[text] = number
    return number
  }

  /// Returns a copy of the bytes with a fixed address.
  ///
  /// Copies are close together, so that the low bits of their addresses differ like those of
  /// literals, which the writers' tables of headers use.
  private mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if bytes.count > room.count {
      let size = max(bytes.count, 2 * Self.maximumLength)
      room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)[...]
    }
    let copy = UnsafeMutableRawBufferPointer(rebasing: room.prefix(bytes.count))
    copy.copyMemory(from: bytes)
    room = room.dropFirst(bytes.count)
    return UnsafeRawBufferPointer(copy)
  }

  /// The bytes of a text.
  func bytes(of number: Number) -> UnsafeRawBufferPointer {
    texts[Int(number)]
  }
}

extension RecorderStore {
  /// The numbers of two texts, or `nil` if one is too long or there are too many.
  func reference(category: RecordedName, name: RecordedName) -> NameReference? {
    locked { state in
      guard let category = state.names.number(of: category.bytes),
        let name = state.names.number(of: name.bytes)
      else { return nil }
      return NameReference(category: category, name: name)
    }
  }

  /// The bytes of a text.
  func bytes(of number: NameTable.Number) -> UnsafeRawBufferPointer {
    locked { state in state.names.bytes(of: number) }
  }

  /// Returns a permanent name for a text that is known only at run time.
  ///
  /// If the text cannot be stored, events with the name are counted as lost.
  func intern(_ text: String) -> RecordedName {
    var text = text
    let bytes = text.withUTF8 { utf8 in
      locked { state in
        state.names.number(of: UnsafeRawBufferPointer(utf8)).map(state.names.bytes(of:))
      }
    }
    guard let bytes else { return .unusable }
    guard bytes.count > 0, let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    else { return "" }
    return RecordedName(start: start, length: bytes.count)
  }
}

extension RecordedName {
  /// The UTF-8 bytes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: length) }
}
