extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8. `String(validating:as:)` needs iOS 18 and macOS 15.
  var isUTF8: Bool {
    !transcode(makeIterator(), from: UTF8.self, to: UTF32.self, stoppingOnError: true) { _ in }
  }
}
