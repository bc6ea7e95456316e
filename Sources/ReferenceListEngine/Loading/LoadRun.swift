internal import ScrollTraceRecorder

/// A job on its way through a thread: records what is being done and says what comes next.
///
/// Real threads do each part before they ask for the next; virtual ones let its time pass.
struct LoadRun {
  /// What a thread does next.
  enum Part {
    /// It works.
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

  /// How far a job is.
  private enum Stage {
    case waiting, leading, downloading, decoding, done
  }

  private let job: LoadJob
  private let recorder: TraceRecorder
  private var stage = Stage.waiting
  private var load: SpanToken?
  private var part: SpanToken?
  private var begin: Nanoseconds = 0
  private var end: Nanoseconds = 0

  /// The job `job` on the thread that `recorder` records for.
  init(_ job: LoadJob, recorder: TraceRecorder) {
    self.job = job
    self.recorder = recorder
  }

  /// What came of it; only where `next` has returned `nil`.
  var finished: FinishedLoad {
    FinishedLoad(
      item: job.item, view: job.view, isDecoded: job.decode != nil, busy: end - begin)
  }

  /// Ends the present part at `time`, and begins the next; `nil` where the job is done.
  mutating func next(at time: Nanoseconds) -> Part? {
    let item = job.item.id.rawValue
    switch stage {
    case .waiting:
      begin = time
      stage = .leading
      load = recorder.beginData(.load, item: item)
      recorder.stepFlow("load", id: item)
      return .work(job.lead)
    case .leading:
      stage = .downloading
      part = recorder.beginImage(.download, item: item)
      return .wait(job.download)
    case .downloading:
      endPart()
      guard let decode = job.decode else { return finish(at: time) }
      stage = .decoding
      part = recorder.beginImage(.decode, item: item)
      return .work(decode)
    case .decoding:
      endPart()
      return finish(at: time)
    case .done:
      return nil
    }
  }

  private mutating func endPart() {
    guard let part else { return }
    recorder.endImage(part, bytes: UInt64(clamping: job.item.bytes))
    self.part = nil
  }

  private mutating func finish(at time: Nanoseconds) -> Part? {
    if let load { recorder.endData(load, view: job.view?.rawValue) }
    load = nil
    end = time
    stage = .done
    return nil
  }
}
