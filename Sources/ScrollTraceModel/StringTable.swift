/// The handle of a name in a trace's `StringTable`. It is valid only with that trace.
@usableFromInline package struct StringID: Hashable, Comparable, Sendable {
  /// The position in the table; 0 is the empty name.
  @usableFromInline package let rawValue: UInt32

  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  @inlinable package static var empty: StringID { StringID(rawValue: 0) }

  @inlinable package static func < (left: StringID, right: StringID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The names of a trace, each stored once as UTF-8.
///
/// Names come from a file and can be any bytes. Invalid UTF-8 is repaired when a name is read.
package struct StringTable: Sendable {
  /// The maximum number of names. Further names become `overflowName`.
  package static let maximumCount = 1 << 22

  /// The maximum length of a name in bytes. Longer names are truncated.
  ///
  /// A report may print a span's name thousands of times, so long names would make it huge.
  package static let maximumLength = 4_096

  package static let maximumBytes = 1 << 30

  /// The replacement for names beyond the limits.
  package static let overflowName = "(too many names)"

  private var bytes: [UInt8] = []
  private var ends: [UInt32] = [0]
  private var slots: [UInt32] = Array(repeating: 0, count: 256)
  private var overflowID: StringID?

  /// Whether a limit was reached, so that some names were replaced or
  /// truncated.
  package private(set) var hasOverflowed = false

  /// Creates a table that contains only the empty name.
  package init() {}

  /// The number of names, including the empty one.
  package var count: Int { ends.count }

  /// The name with the handle `id`, with invalid UTF-8 repaired.
  package subscript(id: StringID) -> String {
    let range = byteRange(of: id)
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// Returns whether the name `id` equals `text`, without creating a `String`.
  package func matches(_ id: StringID, _ text: StaticString) -> Bool {
    let range = byteRange(of: id)
    guard text.hasPointerRepresentation, text.utf8CodeUnitCount == range.count else { return false }
    let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return bytes[range].elementsEqual(expected)
  }

  /// The handle of `name`, or `nil` if the table does not contain it.
  package func firstID(of name: String) -> StringID? {
    var copy = name
    return copy.withUTF8 { buffer in
      let found = slots[slot(of: buffer)]
      return found == 0 && !buffer.isEmpty ? nil : StringID(rawValue: found)
    }
  }

  /// Returns the handle of `name`, adding it if it is new.
  package mutating func intern(_ name: String) -> StringID {
    var copy = name
    return copy.withUTF8 { intern($0) }
  }

  /// Returns the handle of the name with these bytes, adding it if it is new.
  package mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> StringID {
    guard !name.isEmpty else { return .empty }
    guard name.count <= Self.maximumLength else {
      hasOverflowed = true
      var end = Self.maximumLength
      // Not inside a character. Bytes that are not UTF-8 may be cut anywhere.
      while end > Self.maximumLength - 3, name[end] & 0xC0 == 0x80 { end -= 1 }
      return intern(UnsafeBufferPointer(rebasing: name[..<end]))
    }
    let slot = slot(of: name)
    if slots[slot] != 0 { return StringID(rawValue: slots[slot]) }
    guard ends.count < Self.maximumCount, bytes.count + name.count <= Self.maximumBytes else {
      return overflow()
    }
    return append(name, in: slot)
  }

  private mutating func append(_ name: UnsafeBufferPointer<UInt8>, in slot: Int) -> StringID {
    let id = StringID(rawValue: UInt32(ends.count))
    bytes.append(contentsOf: name)
    ends.append(UInt32(bytes.count))
    slots[slot] = id.rawValue
    if ends.count * 2 > slots.count { grow() }
    return id
  }

  private mutating func overflow() -> StringID {
    hasOverflowed = true
    if let overflowID { return overflowID }
    var text = Self.overflowName
    let id = text.withUTF8 { append($0, in: slot(of: $0)) }
    overflowID = id
    return id
  }

  private func byteRange(of id: StringID) -> Range<Int> {
    let index = Int(id.rawValue)
    guard index > 0, index < ends.count else { return 0..<0 }
    return Int(ends[index - 1])..<Int(ends[index])
  }

  /// The slot of `name`, or the free slot where it belongs.
  private func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: Self.hash(name)) & mask
    while slots[slot] != 0 {
      let range = byteRange(of: StringID(rawValue: slots[slot]))
      if range.count == name.count, matches(range, name) { break }
      slot = (slot + 1) & mask
    }
    return slot
  }

  /// Returns whether the bytes in `range` equal `name`, which has the same length, comparing eight
  /// at a time.
  private func matches(_ range: Range<Int>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withUnsafeBytes { all in
      let mine = UnsafeRawBufferPointer(rebasing: all[range])
      let theirs = UnsafeRawBufferPointer(name)
      var index = 0
      while index + 8 <= mine.count {
        guard
          mine.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            == theirs.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        else { return false }
        index += 8
      }
      while index < mine.count {
        guard mine[index] == theirs[index] else { return false }
        index += 1
      }
      return true
    }
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    let mask = slots.count - 1
    bytes.withUnsafeBufferPointer { all in
      for id in old where id != 0 {
        let range = byteRange(of: StringID(rawValue: id))
        let name = UnsafeBufferPointer(rebasing: all[range])
        var slot = Int(truncatingIfNeeded: Self.hash(name)) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = id
      }
    }
  }

  // Names come from files. Because the key differs between processes, nobody can choose names that
  // all hash to the same slot. The order of the handles does not depend on it.
  private static let key = UInt64.random(in: 0...UInt64.max)

  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let key = Self.key
    var hash = mix(UInt64(name.count) ^ 0x9E37_79B9_7F4A_7C15, key)
    var index = 0
    let raw = UnsafeRawBufferPointer(name)
    while index + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      hash = mix(hash ^ word, key ^ 0xBF58_476D_1CE4_E5B9)
      index += 8
    }
    var tail: UInt64 = 0
    while index < raw.count {
      tail = tail << 8 | UInt64(raw[index])
      index += 1
    }
    return mix(hash ^ tail, key ^ 0x94D0_49BB_1331_11EB)
  }

  /// Combines both halves of a product. Unlike the lower half alone, no bit of it is easy to
  /// control.
  @inline(__always)
  private static func mix(_ value: UInt64, _ factor: UInt64) -> UInt64 {
    let (high, low) = value.multipliedFullWidth(by: factor | 1)
    return high ^ low
  }
}
