import Foundation
import ScrollTraceTestSupport
import Testing
import ScrollTracePlatform

/// A conversion that a signal or a limit of the system stops.
@Suite(.serialized, .needsTime) struct StoppedConversionTests {
  @Test func `a conversion that may not write as much leaves no file`() throws {
    let folder = TemporaryFolder()
    let run = try ShellRun(
      "ulimit -f 20; exec \"$1\" convert \"$2\" -o out.json",
      [try CommandProcess.command(), PackageFiles.sample("feed-commit-hitches.fxt")],
      in: folder.path)
    #expect(run.status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a conversion stopped by a signal leaves no file`() async {
    await forEachCase(of: ExtraCases.some(1, of: [SIGINT, SIGTERM, SIGHUP]), oneCase)
    @Sendable func oneCase(signal: Int32) throws {
      let folder = TemporaryFolder()
      let trace = folder.path + "/run.fxt"
      // Long enough to be stopped while it is converted.
      let demo = try CommandProcess(
        ["demo", "--record", trace, "--virtual-time", "--duration", "100s"])
      try #require(demo.status == 0, "\(demo.errors)")
      func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try CommandProcess.command())
      process.arguments = ["convert", trace, "-o", folder.path + "/out.json"]
      process.standardInput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      // The command inherits the signals that this thread blocks, which test threads do.
      var (none, before) = (sigset_t(), sigset_t())
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      try process.run()
      while process.isRunning, try files() == ["run.fxt"] { usleep(1_000) }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(process.terminationStatus == signal)
      #expect(try files() == ["run.fxt"])
    }
  }
}
