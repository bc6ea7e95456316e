import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct MangoHudTests {
  private static func begins(_ trace: Trace) -> [Int64] {
    trace.surfaces.first?.frames.compactMap { $0.start?.nanoseconds } ?? []
  }

  @Test func `all generations give the same result`() async {
    await forEachCase(
      of: [
        "fps,frametime,elapsed\n50,20000,100000000\n100,10000,110000000\n",
        "fps,frametime,elapsed\n50,20.0,100000000\n100,10.0,110000000\n",
        "os,cpu,gpu,ram,kernel,driver\na,b,\"c\",1,2,3\nfps,frametime,elapsed\n50,20,100000000\n"
          + "100,10,110000000\n",
        "\u{FEFF}v1\r\nv0.8.2\r\n-----SYSTEM INFO-----\r\nos,cpu\r\na,b\r\n-----FRAME METRICS-----\r\n"
          + "fps,frametime,elapsed\r\n50,20,100000000\r\n100,10,110000000\r\n",
      ], oneCase)
    @Sendable func oneCase(text: String) throws {
      let trace = try read(text)
      #expect(trace.source.format == "mangohud")
      #expect(trace.losses.isEmpty)
      #expect(Self.begins(trace) == [100_000_000, 110_000_000])
      #expect(trace.range.end.nanoseconds == 110_000_000)
    }
  }

  @Test func `without a rate, the times of the rows reveal the unit`() throws {
    let trace = try read(
      "fps,frametime,elapsed\n,20000,100000000\n,10000,110000000\n,16000,126000000\n")
    #expect(Self.begins(trace) == [100_000_000, 110_000_000, 126_000_000])
  }

  @Test func `without a time, frames follow one another`() throws {
    let trace = try read("fps,frametime,cpu_load\n50,20,1\n100,10,2\n")
    #expect(Self.begins(trace) == [20_000_000, 30_000_000])
    #expect(trace.counters.isEmpty)
    #expect(trace.says("its counters are omitted"))
  }

  @Test func `a last row without an end is lost`() throws {
    let trace = try read("fps,frametime,elapsed\n50,20,100000000\n50,20,1200000")
    #expect(trace.losses.map(\.reason) == [.cutAtEnd])
    #expect(Self.begins(trace) == [100_000_000])
  }

  @Test func `columns that are not counters are reported`() throws {
    let names = (1...70).map { "c\($0)" } + [String(repeating: "n", count: 64), "c1"]
    let trace = try read(
      "fps,frametime,elapsed," + names.joined(separator: ",") + "\n50,20,100000000"
        + String(repeating: ",1", count: names.count) + "\n")
    #expect(trace.counters.count == 64)
    #expect(trace.says("too long or repeated: 8"))
  }

  @Test func `M-2: rows that are samples are not frames, and this is reported`() throws {
    let rows = (1...10).map { "60,16.6,5,\($0 * 100_000_000)\n" }.joined()
    let trace = try read("fps,frametime,cpu_load,elapsed\n" + rows)
    #expect(trace.surfaces.isEmpty)
    #expect(trace.says("a row every 100 ms"))
    #expect(trace.counters.map { trace.name(of: $0.label) } == ["cpu_load", "frametime"])
    let rates = try read("fps,cpu_load,gpu_load,elapsed\n60,1,2,500000000\n")
    #expect(rates.says("rates and no frame times"))
    #expect(rates.surfaces.isEmpty)
  }

  @Test func `MangoHud's sample has a long frame and counters`() throws {
    let trace = try TraceFile.open(FrameTableSamples.path("mangohud.csv"))
    let surface = try #require(trace.surfaces.first)
    #expect(surface.name == "display" && surface.basis == .cadence)
    #expect(surface.frames.count == 60)
    let begins = surface.frames.compactMap { $0.start?.nanoseconds }
    #expect(begins[0] == 20_666_700)
    #expect(begins[30] - begins[29] == 50_000_000)
    #expect(trace.range.length.nanoseconds == 59 * 16_666_700 + 50_000_000)
    let names = trace.counters.map { trace.name(of: $0.label) }
    #expect(names == ["cpu_load", "gpu_load", "cpu_temp", "ram_used"])
    #expect(trace.counters.allSatisfy { $0.times.count == 60 })
  }
}
