import Foundation
import ScrollTraceTestSupport
import Testing

/// The commands and programs of the README, run as they stand there.
@Suite struct ReadmeRunTests {
  /// A folder with the command, and with what its programs are.
  struct Machine {
    private let home = TemporaryFolder()
    var folder: String { home.path }

    init() throws {
      try add("scrolltrace", "exec '\(try CommandProcess.command())' \"$@\"")
    }

    /// Writes a script; by a shell, because a process that another test starts could hold it open.
    func add(_ name: String, _ script: String) throws {
      let written = try ShellRun(
        "mkdir -p bin; printf '#!/bin/sh\\n%s\\n' \"$1\" > bin/$2; chmod 755 bin/$2",
        [script, name], in: folder)
      #expect(written.status == 0)
    }

    func run(_ script: String) throws -> ShellRun {
      try ShellRun("PATH=\"$PWD/bin:$PATH\"\n" + script, in: folder)
    }
  }

  private static func blocks(of language: String) throws -> [String] {
    try PackageFiles.blocks(of: language, in: "README.md")
  }

  @Test func `the picture is drawn from the report`() throws {
    let run = try ShellRun("bash .ci/picture --check", in: PackageFiles.folder.path)
    #expect(run.status == 0, "\(run.output)\n.ci/picture draws it again")
  }

  @Test func `the README installs the command`() throws {
    let machine = try Machine()
    try machine.add("git", "[ \"$1\" = clone ] && mkdir \"$(basename \"$2\" .git)\"")
    try machine.add(
      "swift",
      "[ \"$*\" = 'build -c release --product scrolltrace' ] && mkdir -p .build/release"
        + " && cp '\(machine.folder)/bin/scrolltrace' .build/release/installed")
    let run = try machine.run(try Self.blocks(of: "sh")[0] + "installed --version")
    #expect(run.status == 0, "\(run.output)")
    let manifest = try PackageFiles.text("Package.swift")
    #expect(manifest.contains(".executable(name: \"scrolltrace\""))
  }

  @Test func `the README reads the traces of four tools`() throws {
    let machine = try Machine()
    let samples = PackageFiles.url("SampleTraces/Foreign").path
    let files = [
      "run.xml": "hitches.xml", "run.pftrace": "android-feed.pftrace",
      "run.json": "chrome-scroll.json", "run.csv": "presentmon.csv",
    ]
    for (name, sample) in files {
      try FileManager.default.copyItem(
        atPath: "\(samples)/\(sample)", toPath: "\(machine.folder)/\(name)")
    }
    let commands = try Self.blocks(of: "sh")[2].split(separator: "\n").map(String.init)
    #expect(commands.count == files.count)
    for command in commands {
      let run = try machine.run(command)
      #expect(run.status == 0 && run.output.contains("ms/s of hitch time"), "\(run.output)")
    }
  }

  @Test func `the guide's commands bring traces from phones`() throws {
    let machine = try Machine()
    try machine.add(
      "xcrun",
      """
      case "$*" in
      "devicectl device copy from --device 1 --domain-type appDataContainer --domain-identifier "*)
        for word; do [ "$last" = --destination ] && cp '\(PackageFiles.sample("feed-smooth.fxt"))' "$word"
          last=$word; done ;;
      *) exit 9 ;;
      esac
      """)
    try machine.add(
      "adb",
      """
      case "$*" in
      "shell perfetto --txt -c - -o "*) grep -q 'android.surfaceflinger.frametimeline' ;;
      "pull /data/misc/perfetto-traces/feed.pftrace")
        cp '\(PackageFiles.sample("Foreign/android-feed.pftrace"))' feed.pftrace ;;
      "exec-out run-as com.example.feed cat files/run.fxt")
        cat '\(PackageFiles.sample("feed-smooth.fxt"))' ;;
      *) exit 9 ;;
      esac
      """)
    let blocks = try PackageFiles.blocks(
      of: "sh", in: "Sources/ScrollTraceImport/ScrollTraceImport.docc/FromAPhoneToAReport.md")
    #expect(blocks.count == 3)
    for block in blocks {
      // The sample is half a second long.
      let run = try machine.run("DEVICE=1\n" + block.replacing("2s..8s", with: "0.1s..0.4s"))
      #expect(run.status == 0 && run.output.contains("ms/s of hitch time"), "\(run.output)")
    }
  }

  @Test(.needs("swiftc", if: AppleAdapterTests.canCheck), .needsTime)
  func `the README's loop passes the README's gate, and fails it with a lock in a commit`() throws {
    let machine = try Machine()
    let loop = try #require(try Self.blocks(of: "swift").last)
    let work = "func show(_ row: Int) {}"
    try #require(loop.contains(work))
    let lock =
      "import Dispatch\n" + work.dropLast(2)
      + "{ if row == 60 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.04) } }"
    for (name, source) in [("good", loop), ("locked", loop.replacing(work, with: lock))] {
      let path = "\(machine.folder)/\(name).swift"
      try source.write(toFile: path, atomically: true, encoding: .utf8)
      // The name makes it a program, as `main.swift` does.
      let build = try machine.run(
        """
        mkdir \(name) && mv \(name).swift \(name)/main.swift
        swiftc -swift-version 6 \(BuiltModules.options()) \(name)/main.swift \
        \(try BuiltModules.objects(of: ["ScrollTraceRecorder", "ScrollTraceLayout", "CRecorderShims"])) \
        -o \(name)/record-feed
        for run in 1 2 3 4 5 6 7 8 9 10; do \(name)/record-feed \(name)/feed-$run.fxt & done
        wait
        """)
      try #require(build.status == 0, "\(build.output)")
    }
    // Recorded at once, to save time; each stands for the app's next run.
    _ = try machine.run(
      "printf '#!/bin/sh\\ncp $PROGRAM/$(basename \"$1\") \"$1\"\\n' > record-feed"
        + "; chmod 755 record-feed")
    let lines = try Self.blocks(of: "sh")[3].split(separator: "\n").map(String.init)
    try #require(lines.count == 4)
    let record = lines[0] + "\n" + lines[1] + "\n"
    let baseline = try machine.run("export PROGRAM=good\n" + record + lines[2])
    #expect(baseline.status == 0, "\(baseline.output)")
    let unchanged = try machine.run("export PROGRAM=good\n" + record + lines[3])
    #expect(unchanged.status == 0, "\(unchanged.output)")
    let locked = try machine.run("export PROGRAM=locked\n" + record + lines[3])
    #expect(locked.status == 1, "\(locked.output)")
    #expect(locked.output.contains("FAIL  waiting in 'configure' "), "\(locked.output)")
  }
}
