import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceReport
import ScrollTraceTestSupport
import Testing
import ScrollTracePlatform

/// A host that records, watched from another process.
@Suite(.serialized, .needsTime) struct WatchProcessTests {
  /// A process that has been started.
  private static func start(_ arguments: [String], output: FileHandle?) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try CommandProcess.command())
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = output ?? FileHandle.nullDevice
    var variables = ProcessInfo.processInfo.environment
    variables["LANG"] = "C.UTF-8"
    variables["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = variables
    try process.run()
    return process
  }

  /// Waits, far longer than any machine needs, until `isTrue`.
  private static func wait(until isTrue: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<600 {
      if try isTrue() { return true }
      usleep(100_000)
    }
    return false
  }

  @Test func `a killed host is watched to its end, and its numbers are right`() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/run.fxt"
    let text = URL(fileURLWithPath: try folder.write("", to: "text"))
    let output = try FileHandle(forWritingTo: text)
    let watch = try Self.start(["watch", "--plain", "--wait", path], output: output)
    defer { if watch.isRunning { kill(watch.processIdentifier, SIGKILL) } }
    #expect(
      try Self.wait { try String(contentsOf: text, encoding: .utf8).contains("waiting for") })
    let host = try Self.start(["demo", "--record", path, "--duration", "3600s"], output: nil)
    defer { if host.isRunning { kill(host.processIdentifier, SIGKILL) } }
    #expect(
      try Self.wait {
        try String(contentsOf: text, encoding: .utf8).split(separator: "\n").contains {
          $0.contains(" s: missed") && !$0.hasPrefix("so far") && !$0.contains("finished")
        }
      })
    kill(host.processIdentifier, SIGKILL)
    host.waitUntilExit()
    #expect(Self.wait { !watch.isRunning })
    watch.waitUntilExit()
    #expect(watch.terminationStatus == 0)
    let told = try String(contentsOf: text, encoding: .utf8)
    let last = told.split(separator: "\n").suffix(8).joined(separator: "\n")
    #expect(told.contains("process \(host.processIdentifier) is recording"))
    let analysis = TraceAnalyzer().analyze(try TraceFile.open(path))
    let surface = try #require(analysis.evaluatedPrimarySurface)
    let rating = surface.rated(by: .scroll).rating
    let ratio = rating == .notMeasurable ? nil : surface.ratio
    // On a machine without a free core only a report, which has bounds, is certain.
    let isBusy = (surface.thread?.readyShare ?? 0) > RatedHitches.usualReadyShare
    #expect(
      [rating, isBusy ? .uncertain : rating].contains { rating in
        let hitch = ratio.map { "\(Quantity.ratio($0, in: .scroll)) \(rating.text)" } ?? rating.text
        return last.contains(
          "not finished (process \(host.processIdentifier) ended unexpectedly):"
            + " \(Quantity.length(analysis.trace.range.length)),"
            + " missed \(surface.counts.deadlineMisses ?? 0)/\(surface.counts.total ?? 0),"
            + " hitch \(hitch),")
      }, "\(last)")
    #expect(
      last.contains(
        ", main \(Quantity.length(analysis.work.sums.mainBusy ?? .zero)),"
          + " background \(Quantity.length(analysis.work.sums.backgroundBusy ?? .zero)),"),
      "\(last)")
    #expect(last.hasSuffix("Next: scrolltrace analyze \(path)"))
  }

  @Test func `the screen stays until a key is pressed, and leaves the numbers`() throws {
    let path = PackageFiles.sample("killed-mid-scroll.fxt")
    let session = try TerminalSession(["watch", path])
    #expect(session.read(until: "Latest hitches"))
    #expect(session.read(until: "pause"))
    session.type(" ")
    #expect(session.read(until: "paused"))
    session.type("q")
    #expect(session.read(until: nil))
    session.process.waitUntilExit()
    #expect(session.process.terminationStatus == 0)
    let ends = session.output.components(separatedBy: "\u{1B}[?1049l")
    #expect(ends.count == 2)
    #expect(ends.last?.contains("Next: scrolltrace analyze") == true)
  }

  @Test func `a signal ends the lines as a key ends the screen`() async {
    await forEachCase(of: ExtraCases.some(1, of: [SIGINT, SIGTERM]), oneCase)
    @Sendable func oneCase(signal: Int32) throws {
      let folder = TemporaryFolder()
      let text = URL(fileURLWithPath: try folder.write("", to: "text"))
      let watch = try Self.start(
        ["watch", "--wait", folder.path + "/none.fxt"], output: try FileHandle(forWritingTo: text))
      defer { if watch.isRunning { kill(watch.processIdentifier, SIGKILL) } }
      #expect(
        try Self.wait { try String(contentsOf: text, encoding: .utf8).contains("waiting for") })
      kill(watch.processIdentifier, signal)
      watch.waitUntilExit()
      #expect(watch.terminationReason == .exit)
      #expect(watch.terminationStatus == 0)
    }
  }
}
