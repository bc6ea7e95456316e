/// The limits that an import keeps to.
package struct ImportOptions: Sendable {
  /// The most bytes that are read from a file; 8 GiB where nothing else is said.
  package var maximumByteCount: UInt64 = 8 << 30

  /// The most bytes that a compressed file may become; 4 GiB where nothing else is said.
  package var maximumDecompressedByteCount: UInt64 = 4 << 30

  /// The longest line of a format of lines, in bytes; 1 MiB where nothing else is said.
  package var maximumLineLength = 1 << 20

  /// The usual limits.
  package init() {}
}
