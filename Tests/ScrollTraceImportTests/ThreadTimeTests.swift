import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// The time of threads in Chrome's JSON and in lines.
struct ThreadTimeTests {
  private static func chrome(_ events: [String]) throws -> Trace {
    try read("{\"traceEvents\":[" + events.joined(separator: ",") + "]}")
  }

  @Test func `outermost and long events of Chrome hold their thread's CPU time`() throws {
    let trace = try Self.chrome([
      #"{"ph":"X","pid":1,"tid":2,"ts":1000,"dur":5000,"tts":70,"tdur":3000,"name":"task"}"#,
      #"{"ph":"X","pid":1,"tid":2,"ts":1100,"dur":300,"tts":90,"tdur":200,"name":"short"}"#,
      #"{"ph":"X","pid":1,"tid":2,"ts":2000,"dur":2000,"tts":700,"tdur":900,"name":"long"}"#,
      #"{"ph":"B","pid":1,"tid":3,"ts":1000,"tts":5,"name":"task"}"#,
      #"{"ph":"E","pid":1,"tid":3,"ts":3000,"tts":"7.5","name":"task"}"#,
      #"{"ph":"X","pid":1,"tid":4,"ts":1000,"dur":5000,"tts":70,"name":"task"}"#,
    ])
    #expect(
      trace.cpuTimes(of: 2) == [
        "1000000: 70000", "2000000: 700000", "4000000: 1600000", "6000000: 3070000",
      ])
    #expect(trace.cpuTimes(of: 3) == ["1000000: 5000", "3000000: 7500"])
    #expect(trace.cpuTimes(of: 4) == ["1000000: 70000"])
    #expect(trace.losses.isEmpty)
  }

  @Test func `of many short events few samples are kept, and the last before a pause`() throws {
    let events = (0..<1_000).map { index in
      #"{"ph":"X","pid":1,"tid":2,"ts":\#(index * 10),"dur":8,"tts":\#(index * 5),"tdur":4}"#
    }
    let pause = #"{"ph":"X","pid":1,"tid":2,"ts":50000,"dur":8,"tts":5000,"tdur":4}"#
    let trace = try Self.chrome(events + [pause])
    let times = trace.cpuTimes(of: 2)
    #expect(times.count < 220)
    #expect(times.contains("9998000: 4999000"))
    #expect(times.last == "50008000: 5004000")
    #expect(trace.notices.allSatisfy { $0 == .noFrames || $0 == .noMainTrack })
  }

  @Test func `impossible Chrome times are omitted and counted`() throws {
    let trace = try Self.chrome([
      #"{"ph":"X","pid":1,"tid":2,"ts":0,"dur":5000,"tts":-70,"tdur":3000}"#,
      #"{"ph":"X","pid":1,"tid":2,"ts":6000,"dur":5000,"tts":null,"tdur":3000}"#,
      #"{"ph":"X","pid":1,"tid":2,"ts":20000,"dur":5000,"tts":1e300,"tdur":3000}"#,
      #"{"ph":"X","pid":1,"tid":2,"ts":40000,"dur":5000,"tts":9223372036854775,"tdur":3000}"#,
    ])
    #expect(trace.cpuTimes(of: 2) == ["40000000: 9223372036854775000"])
    #expect(trace.tracks[0].spans.count == 4)
    #expect(trace.losses.isEmpty)
    #expect(trace.sourceNotices == ["impossible CPU times of threads, omitted: 4"])
  }

  @Test func `a thread's time that runs backwards is unknown and reported (M-25)`() throws {
    let trace = try Self.chrome([
      #"{"ph":"X","pid":1,"tid":2,"ts":0,"dur":50000,"tts":70000,"tdur":3000}"#,
      #"{"ph":"X","pid":1,"tid":2,"ts":60000,"dur":50000,"tts":80,"tdur":90000}"#,
    ])
    #expect(trace.notices.contains(.implausibleThreadTimes(track: "thread 2", count: 2)))
    var reader = ThreadTimeReader(trace.tracks[0].threadTimes)
    let segment = reader[1]
    #expect(segment.counted.cpu == nil)
  }

  @Test func `of simultaneous samples the greatest is the last`() throws {
    // Clocks of threads have steps: an event inside may end with a greater count than the one around it.
    let trace = try Self.chrome([
      #"{"ph":"X","pid":1,"tid":2,"ts":0,"dur":5000,"tts":10,"tdur":3031}"#,
      #"{"ph":"X","pid":1,"tid":2,"ts":2000,"dur":3000,"tts":1000,"tdur":2010}"#,
    ])
    #expect(trace.cpuTimes(of: 2).suffix(2) == ["5000000: 3010000", "5000000: 3041000"])
    #expect(trace.notices.allSatisfy { $0 == .noFrames || $0 == .noMainTrack })
  }

  @Test func `lines can hold system counts and scheduler states`() throws {
    let trace = try read(
      """
      {"scrolltrace":"ndjson/1","unit":"us","begin":0,"end":1000}
      {"threadTime":"main","at":10,"cpu":7.5,"ready":1,"preemptions":2,"waits":3,"faults":4,"diskFaults":5}
      {"threadTime":"main","at":20,"cpu":9}
      {"threadState":"running","thread":"main","begin":10,"end":20,"core":0}
      {"threadState":"blocked","thread":"main","begin":20,"duration":5}
      {"threadState":"ready","thread":"main","begin":25,"end":30,"waker":"db"}

      """)
    #expect(trace.losses.isEmpty)
    #expect(trace.tracks.map(\.name) == ["main", "db"])
    #expect(trace.tracks[0].isMain)
    let times = trace.tracks[0].threadTimes
    var sample = ThreadTimeSample()
    (sample.cpu, sample.ready, sample.preemptions) = (7_500, 1_000, 2)
    (sample.waits, sample.faults, sample.diskFaults) = (3, 4, 5)
    #expect(times[0] == sample)
    #expect((0..<times.count).map { times[$0].cpu } == [7_500, 9_000])
    #expect(
      trace.states(of: 1) == [
        "running 10000-20000 on 0", "blocked 20000-25000", "ready 25000-30000 by 2",
      ])
  }

  @Test func `thread lines without content are the only ones lost`() throws {
    let trace = try read(
      """
      {"threadState":"running","thread":"main","begin":10,"end":20}
      {"threadState":"dreaming","thread":"main","begin":10,"end":20}
      {"threadState":"running","thread":"main","begin":10}
      {"threadState":"running","thread":"main","begin":10,"end":5}
      {"threadTime":"main","at":10}
      {"threadTime":"main","cpu":10}
      {"threadTime":"main","at":10,"cpu":-1}
      {"threadTime":"main","at":10,"cpu":"a"}
      {"threadTime":"main","at":30,"cpu":1,"frame":7}

      """)
    #expect(trace.losses.map(\.count) == [8])
    #expect(trace.states(of: 1) == ["running 10-20"])
    #expect(trace.tracks[0].threadTimes.isEmpty)
  }
}
