extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8. `String(validating:as:)` needs iOS 18 and macOS 15.
  var isUTF8: Bool {
    !transcode(makeIterator(), from: UTF8.self, to: UTF32.self, stoppingOnError: true) { _ in }
  }
}

extension UTF8 {
  /// Returns whether `second` can follow `first` in a character, which narrows it: no overlong forms, no
  /// surrogates, nothing past U+10FFFF.
  static func allows(_ second: UInt8, after first: UInt8) -> Bool {
    switch first {
    case 0xE0: second >= 0xA0
    case 0xED: second <= 0x9F
    case 0xF0: second >= 0x90
    case 0xF4: second <= 0x8F
    default: true
    }
  }
}
