import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct GfxinfoTests {
  private static let old =
    "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,AnimationStart,"
    + "PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,"
    + "FrameCompleted,\n"

  private static func row(flags: Int = 0, _ start: Int64, _ length: Int64) -> String {
    let steps = (1...9).map { "\(start + Int64($0) * 100)," }.joined()
    return "\(flags),\(start),\(start),\(Int64.max),0,"
      + steps.split(separator: ",").prefix(8).map { "\($0)," }.joined() + "\(start + length),\n"
  }

  @Test func `M-2: old tables have no deadline, and none is invented`() throws {
    let trace = try read(
      "\r\r\n---PROFILEDATA---\r\r\n" + Self.old + Self.row(1_000_000, 9_000_000)
        + Self.row(17_000_000, 9_000_000) + "---PROFILEDATA---\n")
    #expect(trace.source.format == "gfxinfo")
    #expect(trace.surfaces.map(\.basis) == [.cadence])
    let frame = trace.surfaces[0].frames[0]
    #expect(frame.start?.nanoseconds == 1_000_000 && frame.commitEnd?.nanoseconds == 10_000_000)
    #expect(frame.commitStart?.nanoseconds == 1_000_100)
    #expect(frame.deadline == nil && frame.refreshInterval == nil)
  }

  @Test func `flagged, unfinished and torn rows are not frames, and each is reported`() throws {
    let trace = try read(
      Self.old + Self.row(1_000_000, 9_000_000) + Self.row(flags: 1, 17_000_000, 9_000_000)
        + Self.row(33_000_000, -33_000_000) + Self.row(50_000_000, -1_000_000)
        + Self.row(66_000_000, 100_000_000_000) + "0,1\n0,x,1\n")
    #expect(trace.surfaces[0].frames.count == 1)
    #expect(trace.lossCounts == [.malformedRecord: 4])
    #expect(trace.notices.contains(.source("rows that Android marks to be ignored: 1")))
    #expect(trace.notices.contains(.source("rows of unfinished frames, omitted: 1")))
  }

  @Test func `the refresh interval is the shorter of two columns, whatever their names`() async {
    await forEachCase(
      of: [
        "FrameInterval,FrameStartTime", "FrameStartTime,FrameInterval",
      ], oneCase)
    @Sendable func oneCase(names: String) throws {
      for (values, interval) in [
        ("16666667,1000100000", 16_666_667), ("1000100000,8333333", 8_333_333),
      ] {
        let trace = try read(
          "Flags,FrameTimelineVsyncId,IntendedVsync,FrameDeadline,\(names),FrameCompleted,"
            + "DisplayPresentTime\n0,55,1000000000,1020000000,\(values),1012000000,1033000000\n")
        let frame = trace.surfaces[0].frames[0]
        #expect(frame.refreshInterval == TimeSpan(nanoseconds: Int64(interval)))
        #expect(frame.id == 55 && frame.deadline?.nanoseconds == 1_020_000_000)
        #expect(frame.presented?.nanoseconds == 1_033_000_000)
      }
    }
  }

  @Test func `windows and processes are surfaces, and overlapping dumps count once`() throws {
    func dump(_ process: Int, _ window: String, _ rows: String) -> String {
      """
      ** Graphics info for pid \(process) [com.a] **

      Stats since: 5ns
      Total frames rendered: 2
      HISTOGRAM: 5ms=1 6ms=1
      Profile data in ms:

      \t\(window)/android.view.ViewRootImpl@1 (visibility=0)
      ---PROFILEDATA---
      \(Self.old)\(rows)---PROFILEDATA---
      View hierarchy:

      """
    }
    let (a, b) = (Self.row(1_000_000, 9_000_000), Self.row(17_000_000, 9_000_000))
    let trace = try read(
      dump(5, "com.a/com.a.Main", a) + dump(5, "com.a/com.a.Main", a + b)
        + dump(5, "com.a/com.a.Popup", b) + dump(6, "com.a/com.a.Main", a))
    #expect(trace.losses.isEmpty)
    #expect(
      trace.surfaces.map(\.name) == [
        "com.a/com.a.Main/android.view.ViewRootImpl@1 (5)",
        "com.a/com.a.Main/android.view.ViewRootImpl@1 (6)", "com.a/com.a.Popup",
      ])
    #expect(trace.surfaces.map(\.frames.count) == [2, 1, 1])
    #expect(trace.notices == [.source("rows repeated from an earlier dump, counted once: 1")])
    #expect(trace.processes.map(\.systemID) == [5, 6])
  }

  @Test func `an invalid line between rows is lost, but the rows after it are not`() throws {
    let trace = try read(
      "---PROFILEDATA---\n" + Self.old + Self.row(1_000_000, 9_000_000)
        + "* daemon started successfully *\n" + Self.row(17_000_000, 9_000_000)
        + Self.row(33_000_000, 9_000_000) + "---PROFILEDATA---\nView hierarchy:\n")
    #expect(trace.surfaces[0].frames.count == 3)
    #expect(trace.lossCounts == [.malformedRecord: 1])
    #expect(trace.says("not a row of the surrounding table"))
  }

  private static let sums =
    "** Graphics info for pid 5 [com.a] **\nTotal frames rendered: 2\nProfile data in ms:\n"

  @Test func `a dump that ends inside a table is cut`() throws {
    let table = "---PROFILEDATA---\n" + Self.old + Self.row(1_000_000, 9_000_000)
    for (end, isCut) in [("", true), ("---PROFILEDATA---\n", false)] {
      let losses = try read(table + end).losses
      #expect(losses.contains { $0.reason == .cutAtEnd } == isCut)
    }
  }

  @Test func `a table without known column names is lost next to its sums`() throws {
    let trace = try read(
      Self.sums + "---PROFILEDATA---\nx" + Self.old + Self.row(1_000_000, 9_000_000)
        + Self.row(17_000_000, 9_000_000) + "---PROFILEDATA---\nView hierarchy:\n")
    #expect(trace.lossCounts == [.malformedRecord: 3])
    #expect(trace.says("no frame columns are named"))
  }

  @Test func `a dump whose rows all do not count has no frames`() throws {
    let trace = try read(
      Self.sums + "---PROFILEDATA---\n" + Self.old + Self.row(flags: 1, 1_000_000, 9_000_000)
        + "---PROFILEDATA---\n")
    #expect(trace.surfaces.isEmpty)
    #expect(trace.says("totals, not frames"))
    #expect(!trace.source.hasKnownLength)
  }

  @Test func `if no row can be read, the error states why`() {
    let error = refusal(of: Self.old + Self.row(50_000_000, -1_000_000))
    #expect(error.contains("line 2: the frame's times contradict each other"))
  }

  @Test func `of several processes the one with most frames is the host`() throws {
    func dump(_ process: Int, _ count: Int) -> String {
      "** Graphics info for pid \(process) [p\(process)] **\n" + Self.old
        + (1...count).map { Self.row(Int64($0) * 17_000_000, 9_000_000) }.joined()
        + "---PROFILEDATA---\n"
    }
    let trace = try read(dump(5, 2) + dump(6, 4) + dump(7, 1))
    #expect(trace.processes.filter(\.isHost).map(\.systemID) == [6])
    #expect(trace.mainTrack.map { trace.tracks[$0.index].systemID } == 6)
  }

  @Test func `a dump with only sums has no frames, and names the command that lists them`() throws {
    let trace = try read(
      """
      Applications Graphics Acceleration Info:
      ** Graphics info for pid 2599 [com.example] **

      Total frames rendered: 21
      Janky frames: 4 (19.05%)
      90th percentile: 57ms
      HISTOGRAM: 5ms=0 16ms=2 17ms=18
      50th gpu percentile: 4ms
      Window: com.example/Main
      Stats since: 7ns
      Total frames rendered: 3
      Profile data in ms:

      \tDraw\tPrepare\tProcess\tExecute
      \t20.51\t0.49\t7.13\t16.37
      \t8.39\t0.57\t10.76\t10.88

      """)
    #expect(trace.surfaces.isEmpty && trace.losses.isEmpty && !trace.source.hasKnownLength)
    #expect(trace.notices.contains(.noFrames))
    #expect(trace.says("dumpsys gfxinfo PACKAGE framestats lists"))
  }

  @Test func `Android's sample has deadlines and phases`() throws {
    let trace = try TraceFile.open(FrameTableSamples.path("list.gfxinfo.txt"))
    let surface = try #require(trace.surfaces.first)
    #expect(surface.name == "com.example.feed/com.example.feed.Feed")
    #expect(surface.basis == .deadline)
    #expect(surface.frames.count == 30)
    let late = surface.frames.filter { frame in
      frame.commitEnd.flatMap { end in frame.deadline.map { end > $0 } } ?? false
    }
    #expect(late.map(\.id) == [80_030, 80_060])
    #expect(surface.frames.allSatisfy { $0.refreshInterval?.nanoseconds == 16_666_667 })
    #expect(trace.notices == [.source("rows that Android marks to be ignored: 1")])
    let main = try #require(trace.mainTrack)
    #expect(trace.tracks[main.index].systemID == 2599)
    #expect(trace.tracks.map(\.name) == ["main", "RenderThread", "GPU"])
    #expect(trace.tracks.map(\.spans.count) == [150, 90, 30])
  }
}
