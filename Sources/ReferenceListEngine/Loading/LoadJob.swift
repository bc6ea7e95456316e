public import ScrollTraceRecorder

/// The data of one item that is to be loaded, as its parts and what each of them costs.
public struct LoadJob: Sendable {
  /// The item.
  public let item: ListItem
  /// The cell that shows the item's placeholder; `nil` where the data is asked for ahead.
  public let view: ViewID?
  /// What a thread does before the first part, such as looking up where the data is.
  public let lead: Nanoseconds
  /// How long the bytes take to come; the thread waits for them.
  public let download: Nanoseconds
  /// The work of making the image a bitmap; `nil` where that is left to the main thread.
  public let decode: Nanoseconds?
}

/// A job that is done.
public struct FinishedLoad: Sendable {
  /// The item.
  public let item: ListItem
  /// The cell that showed the placeholder when the data was asked for.
  public let view: ViewID?
  /// Whether the image is a bitmap by now.
  public let isDecoded: Bool
  /// How long a thread was busy with it.
  public let busy: Nanoseconds
}
