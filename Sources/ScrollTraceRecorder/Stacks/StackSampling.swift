internal import CRecorderShims
internal import ScrollTracePlatform

/// The sampling of the stacks of threads that make frames.
///
/// ```swift
/// var options = RecorderOptions()
/// options.stackSampling = StackSampling(every: .milliseconds(1))
/// ```
///
/// See <doc:SamplingStacks>.
public struct StackSampling: Hashable, Sendable {
  /// The time between two samples of a thread, in nanoseconds.
  package let period: Int64

  /// Creates a sampling with a period from 100 µs to one second; other periods become the nearest one.
  public init(every period: RecorderTime = .milliseconds(1)) {
    self.period = min(max(Self.periods.lowerBound, period.nanoseconds), Self.periods.upperBound)
  }

  static var periods: ClosedRange<Int64> { 100_000...1_000_000_000 }
}

extension TraceRecorder {
  /// Says whether the calling thread, which makes frames, works between two of them: then its stack is also
  /// sampled there while it waits, because that is not for its next event.
  package func setWorksBetweenFrames(_ works: Bool) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.setSampledWork(works)
    pointer.leave(writer)
  }
}

extension RecorderOptions {
  /// Creates the sampler of a recording at `path`, or returns `nil` if stacks are not sampled, which the
  /// host prevents if it handles the signal itself.
  func makeSampler(path: String) throws(RecorderError) -> OpaquePointer? {
    guard stackSampling != nil else { return nil }
    guard let clock = clock.systemClock else {
      throw RecorderError(
        path: path, reason: "stacks cannot be sampled with the host's own clock",
        advice: "record with a system clock, or without stacks")
    }
    var problem = SCROLLTRACE_SAMPLER_FINE
    if let sampler = scrolltrace_make_sampler(clock, &problem) { return sampler }
    switch problem {
    case SCROLLTRACE_SAMPLER_SIGNAL_TAKEN: return nil
    case SCROLLTRACE_SAMPLER_NO_MEMORY:
      throw RecorderError(
        path: path, reason: "stacks cannot be sampled: out of memory", errorNumber: ENOMEM)
    default:
      throw RecorderError(
        path: path, reason: "stacks cannot be sampled on this system",
        advice:
          "it is supported on Linux, macOS and iOS, on x86-64 and arm64; record without stacks",
        errorNumber: ENOTSUP)
    }
  }
}
