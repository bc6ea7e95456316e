package import ScrollTraceRecorder

/// The data of one item that is to be loaded, as its parts and what each of them costs.
package struct LoadJob: Sendable {
  /// What the bitmap of an image is made at.
  package enum Decoding: Equatable, Sendable {
    /// Its full size, at this cost.
    case full(Nanoseconds)
    /// The size at which it is shown, at this cost.
    case thumbnail(Nanoseconds)
  }

  package let item: ListItem
  /// The cell that shows the item's placeholder, or `nil` if the data is asked for ahead.
  package let view: ViewID?
  /// The number of the arrow that leads from the request to the job and on to the cell.
  package let flow: UInt64
  /// What a thread does before the first part, such as looking up where the data is.
  package let lead: Nanoseconds
  /// How long the bytes take to come, which the thread waits for, or `nil` if they are there.
  package let download: Nanoseconds?
  /// The work of making the image a bitmap, or `nil` if that is left to the main thread.
  package let decode: Decoding?
}

/// A job that is done.
package struct FinishedLoad: Sendable {
  package let item: ListItem
  /// The cell that showed the placeholder when the data was asked for.
  package let view: ViewID?
  package let isDecoded: Bool
  /// Whether it was cancelled on the way: then nothing came of it.
  package let isCancelled: Bool
  /// How long a thread was busy with it, without waiting.
  package let busy: Nanoseconds
  /// How long a thread waited for it.
  package let waiting: Nanoseconds
}

extension FinishedLoad {
  /// A job that was cancelled before a thread took it.
  init(cancelled job: LoadJob) {
    self.init(
      item: job.item, view: job.view, isDecoded: false, isCancelled: true, busy: 0, waiting: 0)
  }
}
