import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceRecorder

/// The hitch time that a recorder sees while it records, against that of a report, with the frames of the
/// samples as they came.
@Suite struct HitchMeterReplayTests {
  @Test func `the recorder's estimate is that of the report to within a refresh`() async {
    await forEachCase(of: ExtraCases.some(10, of: PackageFiles.recordings), oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try TraceFile.open(PackageFiles.sample(name))
      // A recorder never sees damage.
      guard trace.losses.isEmpty else { return }
      for analyzed in TraceAnalyzer().analyze(trace).surfaces {
        guard let surface = trace.surfaces.first(where: { $0.name == analyzed.name }),
          let expected = analyzed.hitchTime, analyzed.measuredTime.kind == .interaction,
          let refresh = analyzed.refreshInterval
        else { continue }
        let time = analyzed.measuredTime.duration
        let ratio = Self.ratio(of: surface, in: trace)
        let found = ratio * Double(time.nanoseconds) / 1000
        let difference = abs(found - Double(expected.nanoseconds))
        #expect(
          difference <= Double(refresh.nanoseconds),
          "\(name) \(analyzed.name): \(found) for \(expected.nanoseconds)")
      }
    }
  }

  /// What happens to a frame or a motion, in the order in which a recorder is told.
  private enum Event {
    case begin, end
    case commit(Frame)
    case presentation(Frame)
  }

  /// The recorder's hitch time ratio after all events of a surface.
  private static func ratio(of surface: Surface, in trace: Trace) -> Double {
    var events: [(time: Int64, event: Event)] = []
    for interaction in trace.interactions {
      events.append((interaction.start.nanoseconds, .begin))
      if let end = interaction.end { events.append((end.nanoseconds, .end)) }
    }
    for index in 0..<surface.frames.count {
      let frame = surface.frames[index]
      if let time = frame.commitEnd ?? frame.start {
        events.append((time.nanoseconds, .commit(frame)))
      }
      if let time = frame.presented { events.append((time.nanoseconds, .presentation(frame))) }
    }
    let tolerance = surface.presentationTolerance.nanoseconds
    let meter = HitchMeter()
    meter.setTolerance(tolerance, isOnRefreshGrid: surface.timesLieOnRefreshGrid)
    let motion = MotionMeter()
    var open = 0
    for (time, event) in events.stablySorted(by: \.time) {
      switch event {
      case .begin:
        open += 1
        if open == 1 { motion.begin(at: time) }
      case .end:
        open -= 1
        if open == 0 { motion.end(at: time) }
      case .commit(let frame):
        if frame.outcome == .notRequested {
          meter.addNothingRequested()
        } else if frame.outcome != .dropped {
          meter.addCommit(frame.timing, at: frame.commitEnd?.nanoseconds, motion)
        }
      case .presentation(let frame): meter.addPresentation(frame.timing, at: time, motion)
      }
    }
    return meter.hitchTimeRatio(motion)
  }
}

extension Frame {
  fileprivate var timing: FrameTiming {
    FrameTiming(
      start: start?.nanoseconds, deadline: deadline?.nanoseconds, target: target?.nanoseconds,
      refreshInterval: refreshInterval?.nanoseconds)
  }
}
