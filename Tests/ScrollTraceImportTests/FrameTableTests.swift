import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Tables of frames whatever tool writes them.
@Suite struct FrameTableTests {
  @Test func `rows that do not fit are lost and counted`() async {
    let first =
      "Application,ProcessID,SwapChainAddress,Runtime,Dropped,TimeInSeconds,msInPresentAPI,"
      + "msBetweenPresents,msUntilDisplayed\na,1,0x1,DXGI,0,0.1,0,16,20\n"
    let second =
      "Application,ProcessID,SwapChainAddress,CPUStartTime,CPUBusy,CPUWait,DisplayLatency\n"
      + "a,1,0x1,1.0,5.0,1.0,30.25\n"
    await forEachCase(of: [
      (
        first, "a,1,0x1,DXGI,0,0.1,0,16,20",
        [
          "a,1,0x1,DXGI,0,soon,0,16,20", "a,one,0x1,DXGI,0,0.2,0,16,20",
          "a,1,0x1,DXGI,0,-5,0,16,20",
          "a,1,0x1,DXGI,0,0.2,0,16,20,1", "a,1,0x1,DXGI,0,NA,0,16,20", "\"a,1,0x1", "a",
          "a,1,0x1,DXGI,0,1e99,0,1,2",
        ]
      ),
      // A row too short for its display time is not a dropped frame.
      (second, "a,1,0x1,1.0,5.0,1.0,30.25", ["a,1,0x1,33.0,5.0,1.0", "a,1,0x1,33.0,5.0"]),
      (
        "fps,frametime,cpu_load,elapsed\n60,16.6,1,100000000\n", "60,16.6,2,116600000",
        ["60", "60,16.6,1,2,3", "60,soon,1,2", "60,-16,1,2", "60,,1,2", "60,16.6,1,"]
      ),
      (
        "frame,begin,end\n1,0,5\n", "2,10,15",
        [
          "1,2", "1,2,3,4", "1,\"2,3", "1,2,\"3\"x", "1,1,5;5", "x,1,1", "1,-5,3", "1,\u{0},3",
        ]
      ),
    ]) { try oneCase($0, $1, $2) }
    @Sendable func oneCase(_ text: String, _ last: String, _ rows: [String]) throws {
      for row in rows {
        let trace = try read("\(text)\(row)\n\(last)\n")
        #expect(trace.losses.map(\.reason) == [.malformedRecord], "\(row)")
        #expect(trace.surfaces[0].frames.allSatisfy { $0.outcome != .dropped }, "\(row)")
        #expect(trace.says("line 3"), "\(row)")
        #expect(trace.surfaces[0].frames.count == 2, "\(row)")
      }
    }
  }

  @Test func `a table without a row is rejected`() async {
    await forEachCase(
      of: [
        "Application,ProcessID,SwapChainAddress,TimeInSeconds,Dropped,msUntilDisplayed\n",
        "fps,frametime,elapsed\n", "os,cpu,gpu,ram\na,b,c,d\n", "v1\n0.8\n---SYSTEM INFO---\n",
        "Applications Graphics Acceleration Info:\nUptime: 1\n",
        "** Graphics info for pid 1 [a] **\nTotal views: 1\n",
        "---PROFILEDATA---\n---PROFILEDATA---\n",
      ], oneCase)
    @Sendable func oneCase(text: String) throws {
      #expect(throws: ImportError.self) { try read(text) }
    }
  }

  @Test func `a hundred thousand columns are read in linear time`() async {
    await forEachCase(
      of: [
        "Application,ProcessID,CPUStartTime", "fps,frametime,elapsed",
        "Flags,IntendedVsync,FrameCompleted",
      ], oneCase)
    @Sendable func oneCase(names: String) throws {
      let wide = names + String(repeating: ",x", count: 100_000)
      let row = "1,1,17000000" + String(repeating: ",1", count: 100_000)
      _ = try? read(wide + "\n" + row + "\n" + row + "\n")
      let many = (0..<1000).map { ",c\($0)" }.joined()
      _ = try? read(names + many + "\n1,1,17000000\n1,1,17000000" + many)
    }
  }
}
