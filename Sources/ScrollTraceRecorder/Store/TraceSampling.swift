internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// The choice of the traces that `TraceRecorder.finish()` keeps, so that a fleet uploads few of them.
///
/// ```swift
/// var options = RecorderOptions()
/// options.traceSampling = TraceSampling(keepingOneIn: 100, alwaysAboveHitchRatio: 10)
/// ```
public struct TraceSampling: Hashable, Sendable {
  /// The number of traces that one below the ratio stands for.
  private let weight: UInt64
  /// The hitch time ratio in milliseconds per second above which a trace is always kept.
  private let hitchRatio: Double

  /// Creates the choice of one in `count` traces, by chance, and of all traces with more than
  /// `hitchRatio` milliseconds of hitch time per second.
  ///
  /// A kept trace contains the number of traces that it stands for: 1 if it is above the ratio, otherwise
  /// the number given here, at most 1,000,000,000. `scrolltrace summarize` multiplies its sums by that
  /// number, so that on average the totals are those of all traces. With a ratio of `.infinity`, all
  /// traces are equal.
  ///
  /// The hitch time ratio is an estimate that the recorder makes of the times of frames by the rules of
  /// reports (M-2, M-3): each picture is evaluated by its own refresh interval, and the first of a motion is
  /// expected a refresh and the usual time of a frame after the motion's start. A report, which knows all
  /// frames, can differ: here, the usual time is not a median but follows the frames so far, frames whose
  /// presentation was never reported count as not presented, the end of a motion without a picture does not
  /// count, gaps on a refresh grid are not rounded, and interactions of one surface count for all. The trace
  /// of a process that ended before `finish` is kept and stands for itself.
  public init(keepingOneIn count: Int, alwaysAboveHitchRatio hitchRatio: Double) {
    weight = min(RecordingLayout.Session.maximumWeight, UInt64(max(1, count)))
    self.hitchRatio = hitchRatio
  }

  /// Whether a trace may be deleted.
  var isSelective: Bool { weight > 1 }

  /// Returns the number of traces that one with this hitch time ratio stands for, or `nil` if it is not
  /// kept, by a random number.
  func weight(ofTraceWith hitchTimeRatio: Double, draw: UInt64) -> UInt64? {
    guard hitchTimeRatio <= hitchRatio else { return 1 }
    return draw.multipliedFullWidth(by: weight).high == 0 ? weight : nil
  }
}

/// The choice at the end of a recording.
extension RecorderStore {
  /// Returns the number of traces that this one stands for, or `nil` if it is not kept.
  func weight(_ state: RecorderState) -> UInt64? {
    // A file that cannot be deleted is always kept.
    guard let sampling = options.traceSampling, sampling.isSelective,
      let motion = state.control?.pointee.motion, isAtItsPath
    else { return 1 }
    let ratios = state.surfaces.values.map { $0.pointee.meter?.hitchTimeRatio(motion) ?? 0 }
    return sampling.weight(
      ofTraceWith: ratios.max() ?? 0, draw: options.draw ?? .random(in: .min ... .max))
  }

  /// Writes the number of traces that this one stands for into the file, before its end is marked: a
  /// trace without an end stands for itself.
  func writeWeight(_ weight: UInt64) {
    guard options.isSelective else { return }
    typealias Session = RecordingLayout.Session
    scrolltrace_store(session + Session.weight, weight.littleEndian)
    scrolltrace_store(session + Session.weightCheck, (~weight).littleEndian)
  }

  /// Whether the trace is not finished yet, or kept.
  var isKept: Bool { !locked { $0.isDropped } }

  /// Deletes the file of a trace that is not kept.
  func dropFile(_ state: inout RecorderState) -> RecorderError? {
    guard descriptor < 0 || unlink(destination.path) == 0 else {
      return .system(
        "cannot delete the trace, which was not selected to be kept", path: destination.path)
    }
    state.isDropped = true
    return nil
  }

  /// Whether the file at the destination's path is the recording's: whether a
  /// number that is written to the recording can be read there. It is at the offset of the weight, which
  /// is written later.
  private var isAtItsPath: Bool {
    guard descriptor >= 0 else { return true }
    let file = open(destination.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var (own, there) = (UInt64.random(in: 1 ... .max), UInt64(0))
    let size = MemoryLayout.size(ofValue: own)
    let offset = RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.weight
    let written = withUnsafeBytes(of: &own) { FileBytes.write($0, to: descriptor, at: offset) }
    let read = withUnsafeMutableBytes(of: &there) { FileBytes.read($0, from: file, at: offset) }
    return written == size && read == size && own == there
  }
}
