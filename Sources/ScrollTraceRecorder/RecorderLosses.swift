/// What a recording has lost so far, by cause.
public struct RecorderLosses: Hashable, Sendable {
  /// Events that found no chunk: the disk is full or the maximum size is reached.
  public var noChunk: UInt64
  /// Events that, or whose texts, were too big.
  public var tooBig: UInt64
  /// Events after the end of the recording; that spans end which were open then is no loss.
  public var afterClose: UInt64

  /// All events that are lost.
  public var total: UInt64 { noChunk &+ tooBig &+ afterClose }
}
