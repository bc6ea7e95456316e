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

/// A job on its way through a thread: records what is being done and says what comes next.
///
/// Real threads do each part before they ask for the next; virtual ones let its time pass.
struct LoadRun {
  /// What a thread does next.
  enum Part {
    case work(Nanoseconds)
    /// It waits for something that comes by itself.
    case wait(Nanoseconds)

    /// How long that takes where nothing else runs.
    var duration: Nanoseconds {
      switch self {
      case .work(let duration), .wait(let duration): duration
      }
    }
  }

  private enum Stage { case waiting, primary, downloading, decoding, done }

  private let job: LoadJob
  private let recorder: TraceRecorder
  private var stage = Stage.waiting
  private var load: SpanToken?
  private var part: SpanToken?
  private var isCancelled = false
  private var start: Nanoseconds = 0
  private var end: Nanoseconds = 0
  private var waitStart: Nanoseconds?
  private var waited: Nanoseconds = 0

  init(_ job: LoadJob, recorder: TraceRecorder) {
    self.job = job
    self.recorder = recorder
  }

  var item: ItemID { job.item.id }

  /// Lets it end with the part it is at.
  mutating func cancel() { isCancelled = true }

  /// What came of it; only where `next` has returned `nil`.
  var finished: FinishedLoad {
    FinishedLoad(
      item: job.item, view: job.view, isDecoded: job.decode != nil && !isCancelled,
      isCancelled: isCancelled, busy: end - start - waited, waiting: waited)
  }

  /// Ends the present part at `time`, and begins the next, or `nil` if the job is done.
  mutating func next(at time: Nanoseconds) -> Part? {
    let item = job.item.id
    if let waitStart { waited += time - waitStart }
    waitStart = nil
    if isCancelled, stage != .waiting, stage != .done {
      endPart()
      return finish(at: time)
    }
    switch stage {
    case .waiting:
      start = time
      stage = .primary
      load = recorder.beginData(.load, item: item)
      recorder.stepFlow("load", id: job.flow)
      return .work(job.lead)
    case .primary:
      guard let download = job.download else { return decode(at: time) }
      stage = .downloading
      part = recorder.beginImage(.download, item: item)
      waitStart = time
      return .wait(download)
    case .downloading:
      endPart()
      return decode(at: time)
    case .decoding:
      endPart()
      return finish(at: time)
    case .done: return nil
    }
  }

  private mutating func decode(at time: Nanoseconds) -> Part? {
    let item = job.item.id
    stage = .decoding
    switch job.decode {
    case .full(let cost):
      part = recorder.beginImage(.decode, item: item)
      return .work(cost)
    case .thumbnail(let cost):
      part = recorder.beginImage(.thumbnail, item: item)
      return .work(cost)
    case nil: return finish(at: time)
    }
  }

  private mutating func endPart() {
    guard let part else { return }
    recorder.endImage(part, bytes: UInt64(clamping: job.item.bytes))
    self.part = nil
  }

  private mutating func finish(at time: Nanoseconds) -> Part? {
    if let load { recorder.endData(load, viewID: job.view?.rawValue) }
    load = nil
    end = time
    stage = .done
    return nil
  }
}

/// How far the data of an item is.
enum ItemState: Equatable, Sendable {
  /// It was asked for; `isAhead` before a cell needed it.
  case requested(isAhead: Bool)
  /// It is on this machine; `isUsed` once a cell has shown it.
  case loaded(isUsed: Bool)
}
