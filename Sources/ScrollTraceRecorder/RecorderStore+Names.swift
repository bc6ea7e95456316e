extension RecorderStore {
  /// The numbers of two texts; `nil` where one is too long or there are too many.
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

  /// A text that is only known at run time, kept for good.
  ///
  /// A text that cannot be kept gives a name whose events are counted as lost.
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
