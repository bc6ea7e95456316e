internal import ScrollTraceLayout

extension UnsafeMutablePointer<ThreadWriter> {
  /// The numbers of a category and a name, both defined in the current chunk.
  ///
  /// Returns `nil` if there is no chunk or a text is too long, in which case the caller's event is
  /// counted as lost.
  @inline(__always)
  func reference(category: RecordedName, name: RecordedName) -> NameReference? {
    cachedReference(category: category.start, name: name.start)
      ?? findReference(category: category, name: name)
  }

  @inline(__always)
  private func cachedReference(
    category: UnsafePointer<UInt8>, name: UnsafePointer<UInt8>
  ) -> NameReference? {
    headerEntry(category: category, name: name).map { NameReference(header: $0.pointee.header) }
  }

  /// The entry of a category and a name, both defined in the current chunk, or `nil` if they are
  /// not in the table of headers.
  @inline(__always)
  func headerEntry(
    category: UnsafePointer<UInt8>, name: UnsafePointer<UInt8>
  ) -> UnsafeMutablePointer<HeaderEntry>? {
    let nameAddress = UInt(bitPattern: name)
    let categoryAddress = UInt(bitPattern: category)
    let entry = headerEntry(nameAddress, categoryAddress)
    let isSame = entry.pointee.name == nameAddress && entry.pointee.category == categoryAddress
    return isSame ? entry : nil
  }

  @inline(__always)
  private static func home(_ name: UInt, _ category: UInt) -> Int {
    let mixed = (UInt64(name) ^ UInt64(category) << 7) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 55)
  }

  /// The number of a text, defined in the current chunk, or `nil` if there is no chunk or it is too
  /// long.
  func number(of text: RecordedName) -> NameTable.Number? {
    reference(category: RecordedName.none, name: text)?.name
  }

  /// Looks up a pair in the cache, then in the recorder's table, and defines its texts.
  @inline(never)
  private func findReference(category: RecordedName, name: RecordedName) -> NameReference? {
    let entry = findEntry(category: category, name: name)
    if entry.pointee.name == 0 {
      let store = pointee.control.pointee.store.takeUnretainedValue()
      guard let reference = store.reference(category: category, name: name) else {
        drop(.recordTooLarge)
        return nil
      }
      entry.pointee = NameCacheEntry(
        name: UInt(bitPattern: name.start), category: UInt(bitPattern: category.start),
        reference: reference)
      if !pointee.isDurable { store.keepNames() }
    }
    let reference = entry.pointee.reference
    guard define(reference) else { return nil }
    if !reference.isInline {
      let nameAddress = UInt(bitPattern: name.start)
      let categoryAddress = UInt(bitPattern: category.start)
      headerEntry(nameAddress, categoryAddress).pointee = HeaderEntry(
        name: nameAddress, category: categoryAddress, header: reference.spanHeader)
    }
    return reference
  }

  /// The entry of a pair, or a free one.
  private func findEntry(
    category: RecordedName, name: RecordedName
  ) -> UnsafeMutablePointer<NameCacheEntry> {
    let nameAddress = UInt(bitPattern: name.start)
    let categoryAddress = UInt(bitPattern: category.start)
    let home = Self.home(nameAddress, categoryAddress)
    for probe in 0..<ThreadWriter.nameProbes {
      let entry = pointee.names + ((home + probe) & (ThreadWriter.nameCount - 1))
      if entry.pointee.name == 0 { return entry }
      if entry.pointee.name == nameAddress && entry.pointee.category == categoryAddress {
        return entry
      }
    }
    let entry = pointee.names + home
    entry.pointee = NameCacheEntry()
    return entry
  }

  /// Writes string records for both texts unless the current chunk defines them.
  func define(_ reference: NameReference) -> Bool {
    var generation: UInt64
    repeat {
      generation = pointee.generation
      guard define(reference.category), define(reference.name) else { return false }
    } while generation != pointee.generation
    return true
  }

  /// Writes the string record of a text unless the current chunk defines it or the text has no
  /// index.
  func define(_ number: NameTable.Number) -> Bool {
    if number == 0 || number > NameTable.lastIndex || pointee.defines(number) { return true }
    let bytes = pointee.control.pointee.store.takeUnretainedValue().bytes(of: number)
    guard reserve(words: 1 + FXT.words(forBytes: bytes.count)) else { return false }
    // A new chunk may have begun, which already defines some texts.
    if pointee.defines(number) { return true }
    var record = RecordBuilder(at: pointee.cursor)
    record.append(bytes)
    commit(record, header: FXTWord.string(index: number, length: bytes.count))
    pointee.defined[Int(number >> 6)] |= 1 << UInt64(number & 63)
    return true
  }

  /// Writes string records for argument keys unless the current chunk defines them.
  func define(keys: UInt64) -> Bool {
    if pointee.defined[0] & keys == keys { return true }
    var generation: UInt64
    repeat {
      generation = pointee.generation
      // The bit of a key is that of its number.
      var rest = keys & ~pointee.defined[0]
      while rest != 0 {
        guard define(NameTable.Number(rest.trailingZeroBitCount)) else { return false }
        rest &= rest - 1
      }
    } while generation != pointee.generation
    return true
  }

  @inline(__always)
  func text(_ number: NameTable.Number) -> RecordText {
    if number <= NameTable.lastIndex { return RecordText(index: UInt16(number)) }
    return inlineText(number)
  }

  /// A text without an index, for use in a record.
  @inline(never)
  private func inlineText(_ number: NameTable.Number) -> RecordText {
    RecordText(inline: pointee.control.pointee.store.takeUnretainedValue().bytes(of: number))
  }
}

extension RecordedName {
  /// An empty text at an unused address, instead of a category.
  static var none: RecordedName { RecordedName(start: Self.noAddress, length: 0) }

  /// A name that no table accepts: its length is rejected before any byte is read.
  static var unusable: RecordedName { RecordedName(start: Self.noAddress, length: .max) }

  /// A byte that is never read, for a unique address.
  nonisolated(unsafe) private static let noAddress = UnsafePointer(
    UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
}

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

  init(word: UInt64) { self.word = word }

  init(category: NameTable.Number, name: NameTable.Number) {
    if Swift.max(category, name) <= NameTable.lastIndex {
      word = UInt64(category) << 32 | UInt64(name) << 48
    } else {
      word = Self.isInlineBit | UInt64(category) << 24 | UInt64(name) << 44
    }
  }

  @inline(__always)
  init(header: UInt64) { word = header & 0xFFFF_FFFF_0000_0000 }

  /// The header of a span without arguments. Both texts must have indices.
  @inline(__always)
  var spanHeader: UInt64 { FXTWord.plainSpan | headerBits }

  /// Whether one of the texts has no index.
  @inline(__always)
  var isInline: Bool { word & Self.isInlineBit != 0 }

  var category: NameTable.Number {
    NameTable.Number(isInline ? (word >> 24) & 0xF_FFFF : (word >> 32) & 0xFFFF)
  }

  var name: NameTable.Number { NameTable.Number(isInline ? word >> 44 : word >> 48) }

  /// Bits 32…63 of an event's header. Both texts must have indices.
  @inline(__always)
  var headerBits: UInt64 { word & 0xFFFF_FFFF_0000_0000 }
}
