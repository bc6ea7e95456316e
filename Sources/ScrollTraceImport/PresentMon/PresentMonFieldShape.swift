/// How a field is written: numbers of a column all have as many digits behind the point.
struct PresentMonFieldShape {
  /// Whether something stands in the field.
  let hasValue: Bool
  private let hasPoint: Bool
  /// The bytes behind the point, or without a point all of them.
  private let length: Int

  /// The shape of a field with these bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    hasValue = !bytes.isEmpty && !bytes.elementsEqual("NA".utf8)
    let point = bytes.lastIndex(of: UInt8(ascii: "."))
    hasPoint = point != nil
    length = bytes.count - (point.map { $0 + 1 } ?? 0)
  }

  /// Whether the field can be the begin of one that is written as `other` is.
  func isCut(of other: PresentMonFieldShape) -> Bool {
    // What says that there is no value is whole.
    guard hasValue || length == 0 else { return false }
    return hasPoint != other.hasPoint || length < other.length
  }
}
