import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@testable import ScrollTraceImport

/// The tables of sampled stacks: whose functions are named, and what several tables of a file become.
@Suite struct XctraceProfileTests {
  private static let columns =
    "time:sample-time thread:thread process:process weight:weight stack:backtrace"

  private static let bundle =
    "/private/var/containers/Bundle/Application/0F3C2A60-0000-4000-8000-000000000001/Feed.app/"

  /// The innermost function first, with the path of its binary.
  private static let frames = [
    ("objc_msgSend", "/usr/lib/libobjc.A.dylib"),
    (
      "-[UIView layoutSublayersOfLayer:]",
      "/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore"
    ),
    ("FeedCell.layoutSubviews()", bundle + "Feed"),
    (
      "CA::Transaction::commit()",
      "/Library/Developer/CoreSimulator/Volumes/iOS_23A/Library/Developer/CoreSimulator/Profiles/Runtimes"
        + "/iOS 26.0.simruntime/Contents/Resources/RuntimeRoot/System/Library/Frameworks"
        + "/QuartzCore.framework/QuartzCore"
    ),
    ("main", bundle + "Feed"), ("start", "/usr/lib/dyld"),
  ]

  /// The frames with a binary each, as Instruments writes them.
  static func stack(_ frames: [(name: String, path: String)], hasPaths: Bool = true) -> String {
    let elements = frames.enumerated().map { index, frame in
      let name = frame.path.fileName
      let path = hasPaths ? " path=\"\(frame.path)\"" : ""
      return
        "<frame id=\"\(100 + index)\" name=\"\(frame.name)\" addr=\"0x\(30 + index)001\">"
        + "<binary id=\"\(200 + index)\" name=\"\(name)\" load-addr=\"0x\(30 + index)000\""
        + " UUID=\"1C0FE2A3-0000-4000-8000-00000000000\(index % 10)\" arch=\"arm64e\"\(path)/></frame>"
    }
    return elements.joined()
  }

  /// A table of samples of a main thread, a millisecond apart, all with one stack.
  static func table(
    _ stack: String, count: Int = 200, from start: Int = 1_000_000_000, number: Int = 1,
    schema: String = "time-profile", thread: Int = 27
  ) -> String {
    let rows = (0..<count).map { index in
      let time =
        "<row><sample-time id=\"\(1000 + index)\">\(start + index * 1_000_000)</sample-time>"
      guard index == 0 else {
        return time + "<thread ref=\"2\"/><process ref=\"4\"/><weight ref=\"9\"/>"
          + "<backtrace ref=\"10\"/></row>"
      }
      return time + "<thread id=\"2\" fmt=\"Main Thread  0x1b (Feed, pid: 42)\">"
        + "<tid id=\"3\" fmt=\"0x1b\">\(thread)</tid><process id=\"4\" fmt=\"Feed (42)\">"
        + "<pid id=\"5\" fmt=\"42\">42</pid></process></thread><process ref=\"4\"/>"
        + "<weight id=\"9\" fmt=\"1.00 ms\">1000000</weight><backtrace id=\"10\">\(stack)</backtrace></row>"
    }
    return XctraceImporterTests.table(schema, columns, rows.joined(), number: number)
  }

  private static func trace(_ tables: String...) throws -> Trace {
    try read(XctraceImporterTests.export(tables.joined()))
  }

  private static func account(_ trace: Trace) throws -> SampleAccount {
    try #require(TraceAnalyzer().analyze(trace).samples?.measured)
  }

  // MARK: - Whose functions

  @Test(arguments: [true, false])
  func `the app's function below functions of the system is named`(hasPaths: Bool) throws {
    let trace = try Self.trace(Self.table(Self.stack(Self.frames, hasPaths: hasPaths)))
    #expect(trace.ownModules.map { trace.strings[$0] } == ["Feed"])
    let account = try Self.account(trace)
    #expect(account.unrecorded?.function == "FeedCell.layoutSubviews()")
    #expect(account.ownFunctions.first?.name == "FeedCell.layoutSubviews()")
    let path = try #require(account.rows.first?.paths.first)
    #expect(path.functions[try #require(path.firstOwn)] == "FeedCell.layoutSubviews()")
    #expect(path.samples == 200)
  }

  @Test func `a library in the app's bundle is the app's, whatever its name`() throws {
    let frames = [
      ("retain", Self.bundle + "Frameworks/libswiftCore.dylib"),
      ("send()", Self.bundle + "Frameworks/Network.framework/Network"),
      ("share()", Self.bundle + "PlugIns/Share.appex/Share"), ("start", "/usr/lib/dyld"),
    ]
    let trace = try Self.trace(Self.table(Self.stack(frames)))
    #expect(trace.ownModules.map { trace.strings[$0] }.sorted() == ["Network", "Share"])
  }

  @Test(arguments: ["tagged-backtrace", "backtrace"])
  func `a stack can be in an element around it, or be that element`(inner: String) throws {
    let isDirect = inner == "tagged-backtrace"
    let stack =
      isDirect
      ? Self.stack(Self.frames) : "<backtrace id=\"11\">\(Self.stack(Self.frames))</backtrace>"
    let table = Self.table(stack).replacingAll(
      "backtrace id=\"10\"", with: "tagged-backtrace id=\"10\""
    )
    .replacingAll("</backtrace></row>", with: "</tagged-backtrace></row>")
    .replacingAll("<backtrace ref", with: "<tagged-backtrace ref")
    let trace = try Self.trace(table)
    #expect(trace.losses.isEmpty, "\(trace.losses)")
    #expect(SampleBlobTests.names(trace, 199).last == "objc_msgSend")
  }

  // MARK: - Several tables

  @Test func `numbers are those of one table, and tables of one schema are all read`() throws {
    let other = [("decode()", Self.bundle + "Feed"), ("start", "/usr/lib/dyld")]
    let hangs = XctraceImporterTests.table(
      "potential-hangs", "start:start-time duration:duration hang-type:hang-type thread:thread",
      "<row><start-time id=\"1\">1</start-time><duration id=\"2\">5</duration>"
        + "<hang-type id=\"3\" fmt=\"Hang\">Hang</hang-type><thread id=\"4\" fmt=\"Main Thread (0x1b)"
        + " (Feed, pid: 42)\"><tid id=\"5\">27</tid><process id=\"6\" fmt=\"Feed (42)\">"
        + "<pid id=\"7\">42</pid></process></thread></row>", number: 2)
    let hitches = XctraceImporterTests.table(
      "hitches", "start:start-time duration:duration",
      "<row><start-time id=\"1\">1050000000</start-time><duration id=\"2\">70000000</duration></row>",
      number: 3)
    let trace = try Self.trace(
      Self.table(Self.stack(Self.frames)), hangs, hitches,
      Self.table(Self.stack(other), from: 2_000_000_000, number: 4))
    #expect(trace.losses.isEmpty, "\(trace.losses)")
    #expect(trace.samples.count == 1 && trace.samples[0].count == 400)
    #expect(SampleBlobTests.names(trace, 0).last == "objc_msgSend")
    #expect(SampleBlobTests.names(trace, 200) == ["start", "decode()"])
    #expect(trace.surfaces.first?.listedHitches.count == 1)
    let main = try #require(trace.tracks.first { $0.name == "Main Thread" })
    #expect(main.spans.count == 1 && trace.mainTrack == trace.samples[0].track)
  }

  @Test func `a reference to a value of another table is no value`() throws {
    let rows =
      "<row><sample-time id=\"1\">3000000000</sample-time><thread ref=\"2\"/></row>"
    let trace = try Self.trace(
      Self.table(Self.stack(Self.frames)),
      XctraceImporterTests.table("time-profile", Self.columns, rows, number: 2))
    #expect(trace.samples[0].count == 200)
    #expect(trace.losses.contains { $0.reason == .undefinedReference })
  }

  @Test func `samples that two tables have count once`() throws {
    let stack = Self.stack(Self.frames)
    let trace = try Self.trace(
      Self.table(stack), Self.table(stack, count: 300, number: 2, schema: "time-sample"),
      Self.table(stack, number: 3, thread: 28))
    #expect(trace.samples.map(\.count) == [300, 200])
    #expect(trace.says("samples listed in several tables, counted once: 200"))
  }

  // MARK: - Hitches

  /// A list with one hitch of 70 ms, in which 70 samples lie.
  private static let hitch = XctraceImporterTests.table(
    "hitches", "start:start-time duration:duration",
    "<row><start-time id=\"1\">1050000000</start-time><duration id=\"2\">70000000</duration></row>",
    number: 3)

  /// A table with one span of the main thread around the hitch, or nothing.
  private static func around(_ schema: String?) -> String {
    guard let schema else { return "" }
    let isLoop = schema == "runloop-intervals"
    let kind =
      isLoop
      ? "<short-string id=\"3\">Busy</short-string><boolean id=\"4\">1</boolean>"
      : "<hang-type id=\"3\" fmt=\"Hang\">Hang</hang-type>"
    return XctraceImporterTests.table(
      schema,
      "start:start-time duration:duration "
        + (isLoop ? "interval-type:short-string is-main:boolean" : "hang-type:hang-type")
        + " thread:thread",
      "<row><start-time id=\"1\">1040000000</start-time><duration id=\"2\">90000000</duration>"
        + kind + "<thread id=\"5\" fmt=\"Main Thread (0x1b) (Feed, pid: 42)\">"
        + "<tid id=\"6\">27</tid>"
        + "<process id=\"7\" fmt=\"Feed (42)\"><pid id=\"8\">42</pid></process></thread></row>",
      number: 4)
  }

  @Test(arguments: [nil, "runloop-intervals", "potential-hangs"])
  func `the function that ran in a hitch is a finding, also inside a busy run loop or a hang`(
    around schema: String?
  ) throws {
    let trace = try Self.trace(
      Self.table(Self.stack(Self.frames)), Self.hitch, Self.around(schema))
    #expect(trace.losses.isEmpty, "\(trace.losses)")
    let main = try #require(trace.mainTrack)
    #expect(trace.tracks[main.index].spans.count == (schema == nil ? 0 : 1))
    #expect(trace.samples.map(\.track) == [main])
    let analysis = TraceAnalyzer().analyze(trace)
    let finding = try #require(analysis.findings.first)
    #expect(finding.id == .unrecordedCode, "\(analysis.findings.map(\.id))")
    #expect("\(finding.words.title)".contains("FeedCell.layoutSubviews()"))
    // The host has no recorder in whose spans it could wrap the function.
    #expect(!"\(finding.words.fix)".contains("withSpan"))
    #expect(finding.measures.hitches == 1)
  }

  @Test func `a function that waits for a lock is not to be moved`() throws {
    var frames = Self.frames
    frames[0] = ("__psynch_mutexwait", "/usr/lib/system/libsystem_kernel.dylib")
    frames[1] = ("_pthread_mutex_firstfit_lock_slow", "/usr/lib/system/libsystem_pthread.dylib")
    let trace = try Self.trace(Self.table(Self.stack(frames)), Self.hitch, Self.around(nil))
    let finding = try #require(TraceAnalyzer().analyze(trace).findings.first)
    #expect("\(finding.words.title)".contains("FeedCell.layoutSubviews()"))
    #expect("\(finding.words.title)".contains("for a lock"))
    #expect("\(finding.words.fix)".contains("Hold that lock for less time"))
  }

  @Test(arguments: [
    ("PriceFormatter.string(for:)", "lookUpImpOrForward", "create each formatter once"),
    ("FeedCell.layoutSubviews()", "sqlite3_step", "Read and write files in the background"),
    ("Feed.rank()", "lookUpImpOrForward", "Move it off the main thread"),
  ])
  func `the fix of a function is about what its name says, or that of what it calls`(
    function: String, called: String, expected: String
  ) throws {
    var frames = Self.frames
    (frames[2].0, frames[1].0) = (function, called)
    let trace = try Self.trace(Self.table(Self.stack(frames)), Self.hitch, Self.around(nil))
    let finding = try #require(TraceAnalyzer().analyze(trace).findings.first)
    #expect("\(finding.words.fix)".contains(expected))
  }

  @Test func `the fix of a function without a name is to find its name`() throws {
    var frames = Self.frames
    frames[2].0 = "0x102af5d99"
    let trace = try Self.trace(Self.table(Self.stack(frames)), Self.hitch, Self.around(nil))
    let finding = try #require(TraceAnalyzer().analyze(trace).findings.first)
    #expect("\(finding.words.title)".contains("0x102af5d99"))
    #expect("\(finding.words.fix)".contains("--symbols DIR"))
  }
}
