/// The limits of an import, where it finds names, and who is informed of its progress.
package struct ImportOptions: Sendable {
  /// The maximum number of bytes that are read from a file, 8 GiB by default.
  package var maximumByteCount: UInt64 = 8 << 30

  /// The maximum decompressed size in bytes, 4 GiB by default.
  package var maximumDecompressedByteCount: UInt64 = 4 << 30

  /// The bytes of standard input that were read before.
  package var standardInputStart: [UInt8] = []

  /// The maximum length of a line in NDJSON and CSV, in bytes, 1 MiB by default.
  package var maximumLineLength = 1 << 20

  /// The folders with files that have the names of sampled code, besides those where the system has
  /// them.
  package var symbolFolders: [String] = []

  /// Whether functions are named by their symbols, as Swift and C++ mangle them.
  package var keepsRawNames = false

  /// Whether spans of threads are counted and not stored. It applies to sources
  /// that can be rewound, which are read again if the spans turn out to be needed.
  package var onlyCountsSpans = false

  /// Whether the arguments of a commit are stored that only repeat what is known of its frame and thread.
  /// Evaluation does not use them.
  package var keepsFrameArguments = true

  /// A function that is called with the number of bytes read so far and the size, if that is known.
  package var onRead: (@Sendable (_ bytes: UInt64, _ total: UInt64?) -> Void)?

  package init() {}
}
