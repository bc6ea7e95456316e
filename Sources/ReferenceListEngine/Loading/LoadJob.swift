public import ScrollTraceRecorder

/// The data of one item that is to be loaded, as its parts and what each of them costs.
public struct LoadJob: Sendable {
  /// What the bitmap of an image is made at.
  public enum Decoding: Hashable, Sendable {
    /// Its full size, at this cost.
    case full(Nanoseconds)
    /// The size at which it is shown, at this cost.
    case thumbnail(Nanoseconds)
  }

  /// The item.
  public let item: ListItem
  /// The cell that shows the item's placeholder; `nil` where the data is asked for ahead.
  public let view: ViewID?
  /// The number of the arrow that leads from the request to the job and on to the cell.
  public let flow: UInt64
  /// What a thread does before the first part, such as looking up where the data is.
  public let lead: Nanoseconds
  /// How long the bytes take to come, which the thread waits for; `nil` where they are there.
  public let download: Nanoseconds?
  /// The work of making the image a bitmap; `nil` where that is left to the main thread.
  public let decode: Decoding?
}

/// A job that is done.
public struct FinishedLoad: Sendable {
  /// The item.
  public let item: ListItem
  /// The cell that showed the placeholder when the data was asked for.
  public let view: ViewID?
  /// Whether the image is a bitmap by now.
  public let isDecoded: Bool
  /// Whether it was cancelled on the way: then nothing came of it.
  public let isCancelled: Bool
  /// How long a thread was busy with it.
  public let busy: Nanoseconds
}

extension FinishedLoad {
  /// A job that was cancelled before a thread took it.
  init(cancelled job: LoadJob) {
    self.init(item: job.item, view: job.view, isDecoded: false, isCancelled: true, busy: 0)
  }
}
