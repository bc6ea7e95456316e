extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8. `String(validating:as:)` needs iOS 18 and macOS 15.
  var isUTF8: Bool {
    !transcode(makeIterator(), from: UTF8.self, to: UTF32.self, stoppingOnError: true) { _ in }
  }
}

extension UTF8 {
  /// Returns the number of bytes of the non-ASCII character that starts with `first`, or `nil` if none
  /// does.
  static func lengthOfCharacter(startingWith first: UInt8) -> Int? {
    guard (0xC2...0xF4).contains(first) else { return nil }
    return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
  }

  /// Returns the number of bytes of the non-ASCII character at `offset`, or `nil` if it is invalid
  /// UTF-8 or incomplete.
  static func lengthOfCharacter(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    let first = bytes[offset]
    guard let count = lengthOfCharacter(startingWith: first), bytes.count - offset >= count else {
      return nil
    }
    let second = bytes[offset + 1]
    // No overlong forms, no surrogates, nothing past U+10FFFF.
    switch first {
    case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90,
      0xF4 where second > 0x8F:
      return nil
    default: break
    }
    for index in 1..<count where bytes[offset + index] & 0xC0 != 0x80 { return nil }
    return count
  }
}
