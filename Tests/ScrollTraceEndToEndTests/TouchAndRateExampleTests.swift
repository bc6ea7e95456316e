@testable import ScrollTraceCLI
import ScrollTraceTestSupport
import Foundation
import Testing

/// E-41 to E-48 the whole way: lines or tables, file, `analyze --format json`.
@Suite struct TouchAndRateExampleTests {
  private let r = LineTrace.refresh
  private let ms = LineTrace.millisecond

  /// A list that rests after three frames and is touched `delay` after the last of their pictures.
  private func touched(after delay: Int) throws -> JSONNode {
    let touch = 4 * r + delay
    var trace = LineTrace(end: touch + 80 * r, drag: touch..<touch + 72 * r)
    trace.smooth(.target, 3)
    trace.smooth(.target, 70, from: touch + 3, number: 3)
    return try trace.analyze().surface
  }

  @Test func `E-41: what stood on the screen before a touch is no hitch`() throws {
    for delay in [r - 4, r, r + 4, r / 2, 3 * r] {
      let surface = try touched(after: delay)
      #expect(surface["hitchTimeNs"].integer == 0, "\(delay)")
      #expect(surface["rating"].string == "good", "\(delay)")
    }
  }

  @Test func `E-42: a picture in flight at the touch is no answer to it`() throws {
    var trace = LineTrace(end: 80 * r, drag: 10 * r - 3..<70 * r)
    trace.smooth(.target, 72)
    try trace.analyze().surface.expect([
      "hitchTimeNs": 0, "rating": "good", "ledgerNs.unknown": 0, "picturesInMotion": 61,
    ])
  }

  /// Frames on time, so many at each rate, each shown so many of its refreshes after its begin.
  private func smooth(
    _ rates: [(hz: Int, count: Int)], way: Int = 1, skipping skipped: Int? = nil
  ) throws -> JSONNode {
    let lengths = rates.flatMap { rate in
      Array(repeating: 1_000_000_000 / rate.hz, count: rate.count)
    }
    let end = lengths.reduce(0, +)
    var trace = LineTrace(end: end + 100 * ms, drag: 0..<end)
    var begin = 0
    for (index, length) in lengths.enumerated() {
      if index != skipped {
        let shown = begin + way * length
        trace.frame(
          index, from: begin, to: begin + 2 * ms, target: shown, shown: shown, interval: length)
      }
      begin += length
    }
    return try trace.analyze().surface
  }

  @Test func `E-43: every frame on time while the rate changes is good`() throws {
    for rates in [
      [(120, 60), (60, 30)], [(60, 30), (120, 60)], [(120, 30), (80, 20), (60, 20), (30, 20)],
    ] {
      try smooth(rates).expect(["hitchTimeNs": 0, "rating": "good", "ledgerNs.unknown": 0])
    }
  }

  @Test
  func `E-43: a picture two refreshes after its begin is on time while the rate changes`() throws {
    for rates in [
      [(120, 60), (60, 30)], [(60, 30), (80, 20), (120, 60)],
      [(120, 60), (80, 20), (60, 20), (30, 10)],
    ] {
      try smooth(rates, way: 2).expect(["hitchTimeNs": 0, "hitchesInMotion": 0, "rating": "good"])
    }
  }

  @Test func `a frame that is not begun while the rate changes is a hitch`() throws {
    try smooth([(120, 60), (60, 30)], way: 2, skipping: 59).expect(["hitchesInMotion": 1])
  }

  @Test func `E-44: a pace behind the display's is unknown, whatever the rate before`() throws {
    let fast = 8_333_333
    var trace = LineTrace(end: 2100 * ms, drag: 0..<60 * r + 1000 * ms)
    for index in 0..<60 {
      trace.frame(index, [("begin", index * r)])
    }
    for index in 0..<83 {
      trace.frame(60 + index, [("begin", 60 * r + index * 12 * ms)], interval: fast)
    }
    let surface = try trace.analyze().surface
    surface.expect(["rating": "uncertain"])
    // Of the 120 refreshes of the second half, 83 have a picture, and one longer one may be missing.
    let unknown = try #require(surface["ledgerNs"]["unknown"].number) / Double(fast)
    #expect(abs(unknown - 34) < 3)
  }

  @Test func `E-45: an answer to a touch that starts late is a hitch`() throws {
    let touch = 100 * r
    var trace = LineTrace(end: touch + 100 * r, drag: touch..<touch + 100 * ms + 72 * r)
    trace.smooth(.target, 30)
    trace.smooth(.target, 70, from: touch + 100 * ms, number: 30)
    try trace.analyze().surface.expect(["hitchTimeNs": 100 * ms - r, "hitchesInMotion": 1])
  }

  // MARK: - Tables

  private func analyze(_ text: String) throws -> JSONNode {
    let file = try TemporaryFile("table.csv", text)
    return try AnalyzeRun(["--refresh-rate", "60", "--always-moving", file.path]).run
  }

  /// A PresentMon table with presents of several applications, by their times in milliseconds. The
  /// last one of `quitting` was not displayed.
  private func presents(
    _ rows: [(name: String, first: Double, count: Int)], quitting: String
  ) -> String {
    var text = "Application,ProcessID,SwapChainAddress,TimeInMs,MsUntilDisplayed,CPUStartTime\n"
    for (number, row) in rows.enumerated() {
      for index in 0..<row.count {
        let time = row.first + Double(index) * 16.6667
        let isDropped = row.name == quitting && index == row.count - 1
        let fields = [
          row.name, "\(number + 1)", "0x\(number + 1)", "\(time)", isDropped ? "NA" : "20.0",
          "\(time - 10)",
        ]
        text += fields.joined(separator: ",") + "\n"
      }
    }
    return text
  }

  @Test func `E-46, E-47: a swap chain is owed pictures while it lives`() throws {
    let run = try analyze(
      presents(
        [("other.exe", 100, 300), ("overlay.exe", 4400, 20), ("game.exe", 100, 121)],
        quitting: "game.exe"))
    let surfaces = run["surfaces"].array
    #expect(surfaces.count == 3)
    for surface in surfaces { surface.expect(["hitchTimeNs": 0, "hitchesInMotion": 0]) }
  }

  @Test func `E-48: a frame time of MangoHud is the time before its present`() throws {
    var text = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nDebian,x,,1,6,4.5,\n"
    text += "fps,frametime,cpu_load,gpu_load,elapsed\n"
    for index in 1...120 { text += "59.999,16667,1,1,\(index * 16_667_000)\n" }
    text += "1.000,1000000,1,1,\(120 * 16_667_000 + 1_000_000_000)\n"
    let surface = try analyze(text)["surfaces"][0]
    let hitch = try #require(surface["hitchTimeNs"].integer)
    #expect(abs(hitch - 983_333_333) < 20_000)
    surface.expect(["hitchesInMotion": 1, "longestHitchNs": hitch])
  }
}
