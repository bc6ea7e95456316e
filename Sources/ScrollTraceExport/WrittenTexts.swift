package import ScrollTraceModel

/// The texts that a format writes again and again, such as quoted names, each made once.
///
/// They lie in one piece of memory, so that to append one is to copy bytes. What exceeds that piece is
/// made each time.
package struct WrittenTexts {
  private static let maximumByteCount = 1 << 24

  private let make: (Int) -> [UInt8]
  private var bytes: [UInt8] = []
  /// The range of each text in `bytes`, or `nil` if it has not been made.
  private var ranges: [(start: UInt32, end: UInt32)?]

  /// Creates the texts of the positions up to `count`.
  ///
  /// - Parameters:
  ///   - count: The number of texts.
  ///   - make: Returns the text of a position.
  init(count: Int, _ make: @escaping (Int) -> [UInt8]) {
    self.make = make
    ranges = Array(repeating: nil, count: count)
  }

  /// Creates the names of a trace.
  ///
  /// - Parameters:
  ///   - strings: The names.
  ///   - spell: Returns a name as the format writes it.
  package init(_ strings: StringTable, _ spell: @escaping (String) -> [UInt8]) {
    self.init(count: strings.count) { spell(strings[StringID(rawValue: UInt32($0))]) }
  }

  /// Creates what a format writes for each category and name of a trace.
  init(_ trace: Trace, _ spell: @escaping (_ category: String, _ name: String) -> [UInt8]) {
    let (labels, strings) = (trace.labels, trace.strings)
    self.init(count: labels.labels.count) {
      let label = labels[LabelID(rawValue: UInt32($0))]
      return spell(strings[label.category], strings[label.name])
    }
  }

  @inline(__always)
  package mutating func append(_ id: StringID, to output: inout ExportOutput) {
    append(Int(id.rawValue), to: &output)
  }

  @inline(__always)
  mutating func append(_ id: LabelID, to output: inout ExportOutput) {
    append(Int(id.rawValue), to: &output)
  }

  @inline(__always)
  mutating func append(_ index: Int, to output: inout ExportOutput) {
    guard index < ranges.count, let range = ranges[index] else {
      return output.append(made(index))
    }
    bytes.withUnsafeBytes { bytes in
      output.append(
        UnsafeRawBufferPointer(rebasing: bytes[Int(range.start)..<Int(range.end)]))
    }
  }

  /// Makes a text, and keeps it if there is room.
  @inline(never)
  private mutating func made(_ index: Int) -> [UInt8] {
    let text = make(index)
    guard index < ranges.count, bytes.count + text.count <= Self.maximumByteCount else {
      return text
    }
    let start = UInt32(bytes.count)
    bytes += text
    ranges[index] = (start, UInt32(bytes.count))
    return text
  }
}
