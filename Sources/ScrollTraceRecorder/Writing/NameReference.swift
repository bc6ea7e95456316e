internal import ScrollTraceLayout

/// The header of a span with a given category and name, both defined in the writer's chunk.
///
/// The position follows from the addresses of their bytes. A new chunk begins with an empty table.
struct HeaderEntry {
  /// The address of the name's bytes, or the maximum if the entry is free, so that a name without
  /// an address is not found either.
  var name: UInt = .max
  /// The address of the category's bytes, or 0 for a name alone.
  var category: UInt = 0
  /// The header of a span without arguments.
  var header: UInt64 = 0
  /// The category and name as in an entry of the stack of open spans.
  var references: UInt64 = 0

  init() {}

  init(name: UInt, category: UInt, header: UInt64) {
    self.name = name
    self.category = category
    self.header = header
    references = header >> 32
  }
}

/// A pair of category and name, found by the addresses of their bytes.
struct NameCacheEntry {
  /// The address of the name's bytes, or 0 if the entry is free.
  var name: UInt = 0
  /// The address of the category's bytes, or 0 for a name alone.
  var category: UInt = 0
  var reference = NameReference(word: 0)
}

/// The numbers of a category and a name in one word.
///
/// Bits 32…47 and 48…63 are the string indices of the category and the name, as in an event's
/// header. If one of the texts has no index, bit 17 is set, and bits 24…43 and 44…63 are the
/// numbers.
struct NameReference {
  /// The bit that is set if one of the texts has no index.
  static var isInlineBit: UInt64 { 1 << 17 }

  /// The word; bits 0…16 are 0.
  let word: UInt64

  init(word: UInt64) {
    self.word = word
  }

  init(category: NameTable.Number, name: NameTable.Number) {
    if Swift.max(category, name) <= NameTable.lastIndex {
      word = UInt64(category) << 32 | UInt64(name) << 48
    } else {
      word = Self.isInlineBit | UInt64(category) << 24 | UInt64(name) << 44
    }
  }

  @inline(__always)
  init(header: UInt64) {
    word = header & 0xFFFF_FFFF_0000_0000
  }

  /// The header of a span without arguments. Both texts must have indices.
  @inline(__always)
  var spanHeader: UInt64 { FXTWord.plainSpan | headerBits }

  /// Whether one of the texts has no index.
  @inline(__always)
  var isInline: Bool { word & Self.isInlineBit != 0 }

  var category: NameTable.Number {
    NameTable.Number(isInline ? (word >> 24) & 0xF_FFFF : (word >> 32) & 0xFFFF)
  }

  var name: NameTable.Number {
    NameTable.Number(isInline ? word >> 44 : word >> 48)
  }

  /// Bits 32…63 of an event's header. Both texts must have indices.
  @inline(__always)
  var headerBits: UInt64 { word & 0xFFFF_FFFF_0000_0000 }
}
