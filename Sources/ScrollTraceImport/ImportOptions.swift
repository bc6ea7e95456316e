/// What the user says about a trace that the trace does not say itself, and the limits.
public struct ImportOptions: Sendable {
  /// The names of marks and measures that delimit interactions, as a pattern with `*` and `?`.
  ///
  /// Marks `NAME:begin` and `NAME:end` (also `start`, and `-`, `.` or `_` before the word) and
  /// measures `NAME` become interactions where the pattern fits `NAME`. Given this, nothing else
  /// does. `nil` leaves it to the importer, which goes by the input events of scrolling.
  public var interactionsFromMarks: String?

  /// The most bytes that are read from a file; 8 GiB where nothing else is said.
  public var maximumByteCount: UInt64 = 8 << 30

  /// The most bytes that a compressed file may become; 4 GiB where nothing else is said.
  public var maximumDecompressedByteCount: UInt64 = 4 << 30

  /// The usual limits, and nothing said about the trace.
  public init(interactionsFromMarks: String? = nil) {
    self.interactionsFromMarks = interactionsFromMarks
  }
}
