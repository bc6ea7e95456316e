import ScrollTraceAnalysis
import Testing

/// What a host printed of its own frames: lines with a frame's number and its time in microseconds.
struct HostLog {
  private let frames: [(number: UInt64, time: Int)]

  init(_ text: String) {
    frames = text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let number = UInt64(words[0]), let time = Int(words[1]) else {
        return nil
      }
      return (number, time)
    }
  }

  /// Compares the worst hitch of a report with the longest gap between two frames.
  ///
  /// - Parameter first: The first frame, counted from 1, while the list moves.
  @discardableResult
  func expectWorstHitchIsLongestGap(in trace: String, from first: Int = 1) throws -> Hitch {
    let moving = frames.dropFirst(first - 1)
    var gaps: [UInt64: Int] = [:]
    for (previous, next) in zip(moving, moving.dropFirst()) {
      gaps[next.number] = next.time - previous.time
    }
    let surface = try #require(
      TraceAnalyzer().analyze(try TraceLines(trace).trace).evaluatedPrimarySurface)
    #expect(surface.counts.total == frames.count)
    let worst = try #require(surface.worstHitches.first)
    let longest = try #require(gaps.values.max())
    let gap = try #require(worst.frame.flatMap { gaps[$0] })
    // Several gaps of a busy machine can be the longest.
    #expect(abs(gap - longest) < 1000)
    return worst
  }
}
