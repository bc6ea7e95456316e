import Foundation
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// A build server's day: recordings of the reference engine, a baseline, a change that is clean and one
/// that is not.
@Suite struct GateTests {
  /// A folder of its own, with four recordings of each kind in folders of their own.
  private struct Project {
    let home: TemporaryFolder
    var folder: String { home.path }

    init() throws {
      home = TemporaryFolder()
      for (name, policy, seeds) in [
        ("before", "best", 1...4), ("clean", "best", 11...14), ("slow", "images=main", 21...24),
      ] {
        try FileManager.default.createDirectory(
          atPath: folder + "/" + name, withIntermediateDirectories: true)
        for seed in seeds {
          let run = try CommandProcess(
            [
              "demo", "--record", "\(name)/feed-\(seed).fxt", "--virtual-time", "--duration", "2s",
              "--seed", "\(seed)", "--policy", policy,
            ], in: folder)
          #expect(run.status == 0, "\(run.errors)")
        }
      }
    }

    func run(_ arguments: String...) throws -> CommandProcess {
      try CommandProcess(arguments, in: folder)
    }
  }

  @Test func `a pipeline keeps a baseline, passes clean traces and fails slow ones`() throws {
    let project = try Project()
    try project.home.write(
      #"""
      {"limits": {"hitchTimeRatioMsPerS": 1000}, "baseline": "feed.baseline.json",
       "regression": {"hitchTimeRatioMsPerS": {"relative": 0.1, "absolute": 25},
                      "commitNs.p95": {"relative": 0.1, "absolute": "3 ms"}}}
      """#, to: ".scrolltrace.json")

    let first = try project.run("check", "clean")
    #expect(first.status == 0)
    #expect(first.errors.contains("feed.baseline.json: no baseline yet; create it with:"))
    #expect(try project.run("check", "clean", "--require-baseline").status == 2)

    let made = try project.run("baseline", "before")
    #expect(made.status == 0)
    #expect(made.output == "\(project.folder)/feed.baseline.json: 4 runs\n")

    let clean = try project.run("check", "clean")
    #expect(clean.status == 0, "\(clean.output)")
    #expect(clean.output.contains("\nPASS  1 of 1 limit met; no regression; +"), "\(clean.output)")

    let slow = try project.run("check", "slow", "--format", "text,json", "-o", "report.json")
    #expect(slow.status == 1)
    #expect(slow.output.contains("FAIL  image/decode 0 → 20.8 ms per item; hitch"))
    #expect(slow.output.contains("worse by more than"))
    #expect(slow.output.contains("Main cause"))
    #expect(slow.output.contains("image/decode"))
    #expect(try project.home.text(of: "report.json").contains("\"failed\""))

    // Three runs cannot tell; that is said, and only an error where it is asked for (E-11).
    let few = ["check", "slow/feed-21.fxt", "slow/feed-22.fxt", "slow/feed-23.fxt"]
    let unsure = try CommandProcess(few, in: project.folder)
    #expect(unsure.status == 0)
    #expect(unsure.output.contains("TOO FEW RUNS"))
    #expect(unsure.errors.contains("scrolltrace: warning: "))
    #expect(try CommandProcess(few + ["--strict"], in: project.folder).status == 2)

    // Another device's baseline says nothing of this one.
    let unlike = try project.run("check", "clean", "--device", "phone")
    #expect(unlike.status == 2)
    #expect(unlike.errors.contains("device: the baseline has unknown, these traces have 'phone'"))
    #expect(try project.run("check", "slow", "--device", "phone", "--max-ratio", "0").status == 1)

    let updated = try project.run("baseline", "slow")
    #expect(updated.status == 0)
    #expect(updated.output.contains("  hitch time ratio: "))
    #expect(try project.run("check", "slow").status == 0)
    #expect(try project.run("baseline", "slow").output.contains("  nothing changed\n"))
  }

  @Test func `an unevaluated check exits with 2, lost data with 3, and misuse with 64`() throws {
    let file = TemporaryFile("none.fxt")
    try WorkedExamples.e12().record(to: file.path).finish()
    let samples = PackageFiles.url("SampleTraces").path
    let damaged = samples + "/damaged.fxt"
    let smooth = samples + "/feed-smooth.fxt"
    func status(_ arguments: String...) throws -> Int32 {
      try CommandProcess(["check"] + arguments).status
    }
    let none = try CommandProcess(["check", file.path])
    #expect(none.status == 2)
    #expect(none.output.contains("NOT EVALUATED  hitch time ratio: no data"))
    #expect(try status(smooth) == 0)
    #expect(try status(damaged, "--max-deadline-misses", "1000") == 3)
    // 1 comes before 2, and 2 before 3.
    #expect(try status(damaged, "/no/such.fxt", "--max-ratio", "1000") == 2)
    #expect(try status(damaged, "/no/such.fxt", "--max-ratio", "0") == 1)
    #expect(try status(smooth, "--max-ration", "5") == 64)
  }

  @Test func `the command links no test library`() throws {
    let command = try CommandProcess.command()
    func names(_ library: String) -> Bool {
      ShellRun.succeeds("LC_ALL=C grep -aqF '\(library)' '\(command)'")
    }
    #expect(names("swiftCore"))
    for library in ["libTesting", "libXCTest", "Testing.framework", "XCTest.framework"] {
      #expect(!names(library), "\(library)")
    }
  }
}
