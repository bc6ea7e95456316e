#if canImport(XCTest) && canImport(ObjectiveC)
  public import Foundation
  internal import ScrollTraceKit
  public import ScrollTraceRecorder
  public import XCTest

  /// The hitch time and the hitch time ratio of a block that XCTest measures, which Xcode compares with
  /// its baseline.
  ///
  /// ```swift
  /// let metric = try ScrollingMetric()
  /// measure(metrics: [metric]) { feed.scroll(metric.recorder) }
  /// ```
  public final class ScrollingMetric: NSObject, XCTMetric {
    private let options: RecorderOptions
    private var recording: TestRecording

    /// Creates a metric whose recordings have these options, in memory.
    public init(options: RecorderOptions = RecorderOptions()) throws {
      self.options = options
      recording = try TestRecording(1, named: "measured", keptIn: nil, options: options)
    }

    /// The recorder of the current iteration.
    public var recorder: TraceRecorder { recording.recorder }

    /// Returns the metric itself: the block uses the recorder of this one.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Starts the recording of an iteration. If that fails, its report fails.
    public func willBeginMeasuring() {
      recording.abandon()
      if let next = try? TestRecording(1, named: "measured", keptIn: nil, options: options) {
        recording = next
      }
    }

    /// Returns the hitch time and its ratio, or nothing if they are not known.
    public func reportMeasurements(
      from startTime: XCTPerformanceMeasurementTimestamp,
      to endTime: XCTPerformanceMeasurementTimestamp
    ) throws -> [XCTPerformanceMeasurement] {
      let surface = try recording.finish(AnalysisOptions()).analysis.primarySurface
      var measurements: [XCTPerformanceMeasurement] = []
      func add(_ identifier: String, _ name: String, _ value: Double?, _ unit: String) {
        guard let value else { return }
        measurements.append(
          XCTPerformanceMeasurement(
            identifier: "scrolltrace.\(identifier)", displayName: name, doubleValue: value,
            unitSymbol: unit, polarity: .prefersSmaller))
      }
      add("hitchTimeRatioMsPerS", "Hitch Time Ratio", surface?.hitchTimeRatio, "ms/s")
      add("hitchTime", "Hitch Time", surface?.hitchTime?.milliseconds, "ms")
      return measurements
    }
  }
#endif
