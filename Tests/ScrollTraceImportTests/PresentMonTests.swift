import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct PresentMonTests {
  private static let first =
    "Application,ProcessID,SwapChainAddress,Runtime,Dropped,TimeInSeconds,msInPresentAPI,"
    + "msBetweenPresents,msUntilDisplayed\n"

  @Test func `in version 1 work starts at the end of the previous present`() throws {
    let trace = try read(
      Self.first
        + """
        a.exe,7,0x1,DXGI,0,0.100,0.5,16.0,20.0
        a.exe,7,0x1,DXGI,1,0.116,0.5,16.0,0.0
        a.exe,7,0x1,DXGI,0,0.132,0.5,16.0,21.0

        """)
    #expect(trace.source.format == "presentmon")
    #expect(trace.losses.isEmpty && trace.notices.isEmpty)
    let frames = trace.surfaces[0].frames
    #expect(frames.map(\.outcome) == [.presented, .dropped, .presented])
    #expect(frames.map { $0.presented?.nanoseconds } == [120_000_000, nil, 153_000_000])
    #expect(frames.map { $0.commitEnd?.nanoseconds } == [100_000_000, 116_000_000, 132_000_000])
    #expect(frames.map { $0.start?.nanoseconds } == [nil, 100_500_000, 116_500_000])
  }

  @Test func `M-2: without display times frames are evaluated by their starts`() throws {
    let trace = try read(
      "Application,ProcessID,SwapChainAddress,CPUStartTime,CPUBusy,CPUWait\n"
        + "a,1,0x1,0.0,10.0,6.0\na,1,0x1,16.0,9.0,7.0\n")
    #expect(trace.surfaces[0].basis == .cadence)
    #expect(trace.surfaces[0].frames.map(\.outcome) == [.unknown, .unknown])
    #expect(trace.surfaces[0].frames[1].commitEnd?.nanoseconds == 25_000_000)
  }

  @Test func `the GPU's work has a track where the table says when it began`() throws {
    let columns = "Application,ProcessID,SwapChainAddress,CPUStartTime,CPUBusy,CPUWait"
    let trace = try read(
      columns + ",GPULatency,GPUTime,DisplayLatency\n"
        + "a,1,0x1,0.0,5.0,11.0,2.0,9.0,20\na,1,0x1,16.0,5.0,40.0,2.0,44.0,60\n"
        + "a,1,0x1,61.0,5.0,40.0,NA,44.0,60\n")
    let gpu = try #require(trace.tracks.first { $0.name == "GPU of a" })
    let ranges = gpu.spans.map { [$0.range.start.nanoseconds, $0.range.end.nanoseconds] }
    #expect(ranges == [[2_000_000, 11_000_000], [18_000_000, 62_000_000]])
    // Waits between the GPU's work for a frame are none.
    let waiting = try read(
      columns + ",GPULatency,GPUTime,GPUBusy,GPUWait,DisplayLatency\n"
        + "a,1,0x1,0.0,5.0,11.0,2.0,9.0,1.0,8.0,20\n")
    #expect(waiting.tracks.last?.spans.map(\.range.length) == [.milliseconds(1)])
    let without = try read(
      columns + ",GPUTime,DisplayLatency\na,1,0x1,0.0,5.0,11.0,9.0,20\n")
    #expect(without.tracks.count == 1)
  }

  /// A frame every 16 ms for each of `values`, which are in `column`.
  private func trace(_ column: String, _ values: [String]) throws -> Trace {
    var text =
      "Application,ProcessID,SwapChainAddress,\(column),CPUStartTime,CPUBusy,DisplayLatency\n"
    for (index, value) in values.enumerated() {
      text += "a,1,0x1,\(value),\(index * 16).0,5.0,20.0\n"
    }
    return try read(text)
  }

  @Test
  func `refreshes that the app's interval leaves out have frames that were not requested`() throws {
    let frames = try trace("SyncInterval", ["2", "2", "3", "1", "1"]).surfaces[0].frames
    #expect(frames.map(\.id) == [1, 6, 2, 7, 8, 3, 9, 10, 4, 5])
    #expect(frames.filter { $0.outcome == .notRequested }.map(\.id) == [6, 7, 8, 9, 10])
    #expect(frames[1].start?.nanoseconds == 15_999_999 && frames[1].presented == nil)
    for interval in ["1", "0", "-1", "5", "NA", "x"] {
      let trace = try trace("SyncInterval", [interval, interval])
      #expect(trace.surfaces[0].frames.map(\.id) == [1, 2])
    }
  }

  @Test func `pictures that may tear lie on no grid, and this is reported`() throws {
    let torn = try trace("AllowsTearing", ["1", "0", "1"])
    #expect(torn.surfaces[0].presentationTolerance == .milliseconds(1))
    #expect(torn.says("the pictures of a may tear"))
    let other = try trace("AllowsTearing", ["1", "0", "0"])
    #expect(other.surfaces[0].presentationTolerance == .zero && other.notices.isEmpty)
  }

  @Test func `swap chains and processes are separate surfaces`() throws {
    let trace = try read(
      Self.first
        + """
        a.exe,7,0x00000000000000AB,DXGI,0,0.1,0,16,20
        a.exe,8,0xAB,DXGI,0,0.1,0,16,20
        dwm.exe,9,0x2,DXGI,0,0.1,0,16,20
        dwm.exe,9,0x2,DXGI,0,0.2,0,16,20
        a.exe,8,0xCD,DXGI,0,0.1,0,16,20
        a.exe,8,0xCD,DXGI,0,0.2,0,16,20

        """)
    #expect(
      trace.surfaces.map(\.name) == ["a.exe (7)", "a.exe (8) 0xAB", "a.exe (8) 0xCD", "dwm.exe"])
    #expect(trace.processes.filter(\.isHost).map(\.systemID) == [8])
  }

  @Test func `ticks have the frequency that matches the table's milliseconds`() throws {
    let trace = try read(
      "Application,ProcessID,SwapChainAddress,CPUStartQPC,FrameTime,CPUBusy,DisplayLatency\n"
        + "a,1,0x1,24000000,16.6667,10.0000,30\na,1,0x1,24400000,16.6667,10.0000,30\n"
        + "a,1,0x1,24800000,16.6667,10.0000,NA\n")
    let frames = trace.surfaces[0].frames
    #expect(trace.says("milliseconds give a frequency of 23999952 a second"))
    let begins = frames.compactMap { $0.start?.nanoseconds }
    #expect(abs(begins[1] - begins[0] - 16_666_700) < 1_000)
    #expect(frames[2].outcome == .dropped)
  }

  @Test func `ticks of unknown frequency are not times, and this is reported`() throws {
    let error = refusal(
      of: "Application,ProcessID,SwapChainAddress,CPUStartQPC,DisplayLatency\n"
        + "a,1,0x1,24000000,30\na,1,0x1,24400000,30\n")
    #expect(error.contains("has times in ticks of unknown length"))
  }

  @Test func `dates are times`() throws {
    let trace = try read(
      "Application,ProcessID,SwapChainAddress,CPUStartDateTime,CPUBusy,DisplayLatency\n"
        + "a,1,0x1,2024-2-29 23:59:59.990000000,5,10\na,1,0x1,2024-3-1 0:00:00.006000000,5,10\n")
    let begins = trace.surfaces[0].frames.compactMap { $0.start?.nanoseconds }
    #expect(begins[0] == 1_709_251_199_990_000_000)
    #expect(begins[1] - begins[0] == 16_000_000)
  }

  @Test func `a table without times is placed by its durations, and this is reported`() throws {
    let trace = try read(
      "Application,ProcessID,SwapChainAddress,Dropped,MsBetweenPresents,MsUntilDisplayed\n"
        + "a,1,0x1,0,10,20\na,1,0x1,0,16,20\na,1,0x1,1,17,0\n")
    let frames = trace.surfaces[0].frames
    #expect(frames.map { $0.commitEnd?.nanoseconds } == [10_000_000, 26_000_000, 43_000_000])
    #expect(trace.says("no time column"))
  }

  @Test func `comments, semicolons, quotes and carriage returns are accepted`() throws {
    let trace = try read(
      "//GameName=a\r\n//Comment=\r\n\"Application\";\"ProcessID\";\"SwapChainAddress\";"
        + "\"TimeInSeconds\";\"Dropped\";\"MsUntilDisplayed\"\r\n"
        + "\"a; b\";1;0x1;0.5;0;16\n\r\na;1;0x1;0.6;0;16")
    #expect(trace.losses.isEmpty)
    // The number of the process tells which it is.
    #expect(trace.surfaces.map(\.name) == ["a; b"])
    #expect(trace.surfaces[0].frames.count == 2)
  }

  @Test func `a frame can be presented at an unknown time`() throws {
    let trace = try read(
      "Application,ProcessID,SwapChainAddress,CPUStartTime,CPUBusy,DisplayLatency,AnimationTime\n"
        + "a,1,0x1,1,5,NA,1.0\na,1,0x1,17,5,NA,NA\na,1,0x1,33,5,20,33\n")
    #expect(trace.surfaces[0].frames.map(\.outcome) == [.presented, .dropped, .presented])
    #expect(trace.surfaces[0].frames.map { $0.presented == nil } == [true, true, false])
  }

  @Test func `invalid durations are unknown and counted`() throws {
    let trace = try read(
      Self.first + "a,1,0x1,DXGI,0,0.1,-1,NaN,inf\na,1,0x1,DXGI,0,0.2,0,16,20\n")
    #expect(trace.lossCounts == [.invalidValue: 3])
    #expect(trace.surfaces[0].frames[0].presented == nil)
  }

  @Test func `an invalid display time does not make a dropped frame`() throws {
    let trace = try read(
      "Application;ProcessID;SwapChainAddress;CPUStartTime;CPUBusy;MsUntilDisplayed;GPUTime\n"
        + "a;1;0x1;1;5;16,7;1\na;1;0x1;17;5;-0.5;1\na;1;0x1;33;5;NA;1\n")
    #expect(trace.surfaces[0].frames.map(\.outcome) == [.unknown, .unknown, .dropped])
    #expect(trace.lossCounts == [.invalidValue: 2])
  }

  private static let second =
    "Application,ProcessID,SwapChainAddress,CPUStartTime,CPUBusy,CPUWait,DisplayLatency\n"

  @Test func `a last row truncated in its last number is lost`() async {
    await forEachCase(of: ["30.2", "30.", "30", "3", "", "N"], oneCase)
    @Sendable func oneCase(rest: String) throws {
      let good = "a,1,0x1,1.0,5.0,1.0,30.25\n"
      let trace = try read(Self.second + good + "a,1,0x1,17.0,5.0,1.0," + rest)
      #expect(trace.losses.map(\.reason) == [.cutAtEnd])
      #expect(trace.surfaces[0].frames.count == 1)
    }
  }

  @Test func `a complete last row needs no line feed`() async {
    await forEachCase(of: ["31.25", "NA"], oneCase)
    @Sendable func oneCase(rest: String) throws {
      let good = "a,1,0x1,1.0,5.0,1.0,30.25\n"
      let trace = try read(Self.second + good + "a,1,0x1,17.0,5.0,1.0," + rest)
      #expect(trace.losses.isEmpty)
      #expect(trace.surfaces[0].frames.count == 2)
    }
  }

  @Test func `rows can omit unused columns`() throws {
    let trace = try read(
      Self.second.replacing("\n", with: ",Own\n") + "a,1,0x1,1.0,5.0,1.0,30.25,x\n"
        + "a,1,0x1,17.0,5.0,1.0,30.25\na,1,0x1,33.0,5.0,1.0,30.25")
    #expect(trace.losses.isEmpty)
    #expect(trace.surfaces[0].frames.count == 3)
  }

  @Test func `a swap chain stays one surface, whatever process name its rows have`() throws {
    // So many others that no row is still remembered.
    var rows = ""
    for chain in 0..<600 { rows += "b,2,0x\(1000 + chain),DXGI,0,0.1,0,16,20\n" }
    let trace = try read(
      Self.first + "<unknown>,1,0x1,DXGI,0,0.1,0,16,20\n" + rows
        + "a.exe,1,0x1,DXGI,0,0.2,0,16,20\n")
    #expect(trace.surfaces.first { $0.name == "<unknown>" }?.frames.count == 2)
  }

  @Test func `without process numbers each application is one surface`() throws {
    let trace = try read(
      "Application,SwapChainAddress,TimeInSeconds,MsUntilDisplayed\n"
        + "a,0x1,0.1,16\nb,0x1,0.1,16\nb,0x2,0.1,16\na,0x1,0.2,16\n")
    #expect(trace.processes.map(\.name) == ["a", "b"])
    #expect(trace.surfaces.map(\.name) == ["a", "b 0x1", "b 0x2"])
  }

  @Test func `PresentMon's sample has a late frame and one that was never presented`() throws {
    let trace = try TraceFile.open(FrameTableSamples.path("presentmon.csv"))
    #expect(trace.notices.isEmpty)
    let surface = try #require(trace.surfaces.first)
    #expect(surface.name == "Game.exe" && surface.basis == .cadence)
    #expect(surface.frames.count == 60)
    let late = surface.frames[19]
    #expect(late.id == 20 && late.start?.nanoseconds == 366_666_600)
    #expect(late.commitEnd?.nanoseconds == 411_666_600)
    #expect(late.presented?.nanoseconds == 433_333_200)
    #expect(surface.frames[39].outcome == .dropped && surface.frames[39].presented == nil)
    let main = try #require(trace.mainTrack)
    #expect(trace.tracks[main.index].name == "presenting to Game.exe")
    #expect(trace.tracks[main.index].spans.count == 60)
    #expect(trace.processes.map(\.systemID) == [4321])
  }
}
