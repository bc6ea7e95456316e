import Foundation
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// The examples of the README and of the guide that goes on from it, executed.
@Suite struct ReadmeTests {
  /// The guide that goes on from a report.
  static let guide = "Sources/ScrollTraceKit/ScrollTraceKit.docc/FromAReportToAFix.md"

  @Test func `the README has at most 750 words`() throws {
    let words = try PackageFiles.text("README.md").split(whereSeparator: \.isWhitespace)
    #expect(words.count <= 750)
  }

  @Test func `the README's commands for a fresh system are those that are run on one`() throws {
    let commands = try PackageFiles.blocks(of: "sh", in: "README.md")[1]
      .split(separator: "\n")
    let image = try PackageFiles.text(".ci/Dockerfile")
    try #require(commands.count == 2)
    for command in commands { #expect(image.contains("\nRUN \(command)\n")) }
  }

  @Test func `the README's Kotlin is that of the guide, which is compiled`() throws {
    let guide = try PackageFiles.blocks(
      of: "kotlin", in: "Sources/ScrollTraceRecorder/ScrollTraceRecorder.docc/OtherHosts.md")
    let block = try #require(PackageFiles.blocks(of: "kotlin", in: "README.md").first)
    #expect(guide.first?.contains(block) == true)
  }

  @Test func `the comparison is what the command prints`() throws {
    try expectBlock(
      2, of: Self.guide, shows: "panel-1-with-3",
      printedBy: "compare SampleTraces/panel-1-on-demand.fxt SampleTraces/panel-3-background.fxt")
  }

  /// Holds a block of a page, its gaps left out, against the report that the command prints.
  private func expectBlock(
    _ index: Int, of page: String, shows name: String, printedBy command: String
  ) throws {
    let blocks = try PackageFiles.blocks(of: "console", in: page)
    try #require(blocks.count > index)
    let lines = blocks[index].split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "$ swift run scrolltrace \(command)")
    let report = try PackageFiles.text("SampleTraces/Reports/\(name).txt")
    let shown = lines.dropFirst().joined(separator: "\n")
    for part in shown.components(separatedBy: "…\n") where !part.isEmpty {
      #expect(report.contains(part.trimmingCharacters(in: .newlines)))
    }
  }

  @Test func `the closer look is what the command prints`() throws {
    try expectPrinted(0, "analyze", "--frame 14")
  }

  @Test func `the prediction is what the command prints`() throws {
    try expectPrinted(1, "predict")
  }

  /// Holds a block of the guide, its gaps left out, against what its command prints.
  private func expectPrinted(
    _ index: Int, _ command: String, _ options: String = ""
  ) throws {
    let blocks = try PackageFiles.blocks(of: "console", in: Self.guide)
    try #require(blocks.count > index)
    let lines = blocks[index].split(separator: "\n", omittingEmptySubsequences: false)
    let words = try #require(lines.first).split(separator: " ").map(String.init)
    #expect(words.prefix(5) == ["$", "swift", "run", "scrolltrace", command])
    #expect(words.dropFirst(6).joined(separator: " ") == options)
    let trace = PackageFiles.url(words[5]).path
    let run = CommandRun([command, trace] + words.dropFirst(6), variables: ["LANG": "C.UTF-8"])
    #expect(run.status == .done)
    let parts = lines.dropFirst().joined(separator: "\n").components(separatedBy: "…\n")
      .map { $0.trimmingCharacters(in: .newlines) }.filter { !$0.isEmpty }
    #expect(!parts.isEmpty)
    for part in parts { #expect(run.output.contains(part)) }
  }

  @Test func `the files that the guide to this package names exist`() throws {
    let guide = try PackageFiles.text(
      "Sources/ScrollTraceKit/ScrollTraceKit.docc/WorkingOnScrollTrace.md")
    let names = guide.matches(of: /`((?:\.ci|Sources|SampleTraces|Tests)\/[^`\s]+)/).map { $0.1 }
    #expect(!names.isEmpty)
    for name in names {
      #expect(
        FileManager.default.fileExists(atPath: PackageFiles.url(String(name)).path), "\(name)")
    }
  }

  @Test func `the start page lists every guide, and no link of the two pages is broken`() throws {
    let start = "Sources/ScrollTraceKit/ScrollTraceKit.docc/Documentation.md"
    var linked: Set<String> = []
    for page in ["README.md", start] {
      let folder = PackageFiles.url(page).deletingLastPathComponent()
      for link in try PackageFiles.text(page).matches(of: /\]\((?!https?:)([^)#]+)/) {
        let target = folder.appendingPathComponent(String(link.1)).standardizedFileURL.path
        #expect(FileManager.default.fileExists(atPath: target), "\(page): \(link.1)")
        if page == start { linked.insert(target) }
      }
    }
    let sources = PackageFiles.url("Sources").standardizedFileURL
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    for case let file as URL in try #require(files) where file.pathExtension == "md" {
      guard file.lastPathComponent != "Documentation.md" else { continue }
      #expect(linked.contains(file.standardizedFileURL.path), "\(file.lastPathComponent)")
    }
  }
}

/// The first page of the recorder's guide, executed.
struct GettingStartedTests {
  struct Post { var id: Int }

  @Test func `the first recording is the one compiled here`() throws {
    let blocks = try PackageFiles.blocks(
      of: "swift", in: "Sources/ScrollTraceRecorder/ScrollTraceRecorder.docc/GettingStarted.md")
    #expect(try blocks == HostRecipeTests.examples(in: #filePath))
  }

  @Test func `the first recording is evaluated against its deadlines`() throws {
    let file = TemporaryFile("started.fxt")
    try Self.frames(to: file.path, display: SteppingDisplay(), list: ExampleList())
    let run = try AnalyzeRun([file.path])
    run.surface.expect(["frames.total": 3, "basis": "deadline"])
  }

  @Test func `interactions, work and states are in the trace`() throws {
    let file = TemporaryFile("work.fxt")
    let recorder = try TraceRecorder(writingTo: file.path)
    recorder.beginFrame().end()
    Self.work(recorder, list: ExampleList(), post: Post(id: 7))
    try recorder.finish()
    let run = try AnalyzeRun([file.path])
    run.surface.expect(["frames.total": 1])
    #expect(recorder.losses.total == 0)
  }

  static func frames(to path: String, display: SteppingDisplay, list: ExampleList) throws {
    // guide begin
    let recorder = try TraceRecorder(writingTo: path)

    while let tick = display.next(recorder.now()) {
      let frame = recorder.beginFrame(
        FrameTiming(deadline: tick.deadline, target: tick.target, refreshInterval: tick.interval))
      frame.phases {
        $0.layout { list.layout() }
        $0.commit { list.commit() }
      }
      frame.end()
    }
    try recorder.finish()
    // guide end
  }

  static func work(_ recorder: TraceRecorder, list: ExampleList, post: Post) {
    // guide begin
    recorder.withInteraction(.drag) {
      recorder.withSpan("decode", .image, item: ItemID(post.id)) { list.decode() }
      recorder.withCellStep(.configure, CellDetails(item: ItemID(post.id), position: 3)) {
        list.layout()
      }
    }
    recorder.setState("screen", to: "Feed")
    recorder.setState("host", to: "Qt Quick")
    recorder.recordCounter("cachedBytes", 4096)
    // guide end
  }
}

/// Three refreshes of a display that never waits.
final class SteppingDisplay {
  private var remaining = 3

  struct Tick {
    var deadline, target, interval: RecorderTime
  }

  func next(_ now: RecorderTime) -> Tick? {
    guard remaining > 0 else { return nil }
    remaining -= 1
    return Tick(deadline: now + 16_666_667, target: now + 33_333_334, interval: 16_666_667)
  }
}

/// A list that has next to nothing to do.
struct ExampleList {
  func layout() {}
  func decode() {}
  func commit() {}
}
