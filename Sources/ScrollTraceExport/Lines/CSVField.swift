/// The fields of CSV files (RFC 4180).
package enum CSVField {
  /// The characters that start a formula in a spreadsheet: `=`, `+`, `-` and `@`.
  private static let formulaStarts: [UInt8] = [0x3D, 0x2B, 0x2D, 0x40]

  /// Returns `text` as a field, quoted if it contains a separator, a quotation mark or a control
  /// character, or if a spreadsheet could interpret it as a formula.
  ///
  /// - Parameter replaced: The bytes that become spaces.
  package static func bytes(_ text: String, replacing replaced: [UInt8]) -> [UInt8] {
    let needsQuotes =
      text.utf8.contains { $0 < 0x20 || [0x22, 0x2C, 0x3B].contains($0) }
      || text.utf8.first.map(formulaStarts.contains) ?? false
    guard needsQuotes else { return Array(text.utf8) }
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 {
      if byte == 0x22 { bytes.append(0x22) }
      bytes.append(replaced.contains(byte) ? 0x20 : byte)
    }
    bytes.append(0x22)
    return bytes
  }
}
