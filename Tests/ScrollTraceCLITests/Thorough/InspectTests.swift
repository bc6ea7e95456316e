import Foundation
import ScrollTraceKit
import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace inspect` on the samples, and what it saves of damaged ones.
struct InspectTests {
  private static let samples = [
    "damaged", "feed-commit-hitches", "feed-smooth", "killed-mid-scroll", "rate-change",
    "stall-without-frames",
  ]

  private static func path(_ sample: String) -> String {
    PackageFiles.sample("\(sample).fxt")
  }

  /// What an analysis goes by, apart from what was lost and where.
  private static func figures(_ trace: Trace) -> [String] {
    let tracks = trace.tracks.filter { $0.spans.count > 0 }.map { track in
      let spans = (0..<track.spans.count).map { index in
        let span = track.spans[index]
        return "\(span.range) \(trace.category(of: span.label)) \(trace.name(of: span.label))"
      }
      return "\(track.systemID) \(track.name) \(track.isMain): \(spans)"
    }
    let open = trace.openSpans.map { "\($0.since) \(trace.name(of: $0.label))" }
    return tracks.sorted() + open + [
      "\(trace.surfaces.map { ($0.name, $0.frames.count) })", "\(trace.interactions.count)",
      "\(trace.marks.count) \(trace.states.count) \(trace.flows.count) \(trace.asyncSpans.count)",
    ]
  }

  @Test func `hitches listed by the source are content too`() throws {
    let console = try CapturedConsole()
    let path = URL(fileURLWithPath: Self.path("x")).deletingLastPathComponent()
      .appendingPathComponent("Foreign/hitches.xml").path
    #expect(console.run("inspect", path) == .done)
    #expect(console.output.contains("5 listed hitches"))
  }

  private static func recover(_ bytes: [UInt8]) throws -> (copy: [UInt8], recovery: FXTRecovery) {
    final class Output { var bytes: [UInt8] = [] }
    let output = Output()
    let recovery = try FXTRecovery.recover(MemoryByteSource(bytes)) { output.bytes += $0 }
    return (output.bytes, recovery)
  }

  @Test func `what no reader would take is not recovered`() async {
    await forEachCase(of: ["F-7-later-major-version", "F-7-incompatible-flag"], oneCase)
    @Sendable func oneCase(name: String) throws {
      let console = try CapturedConsole()
      let path = Self.path("Conformance/\(name)")
      let copy = console.folder + "/copy.fxt"
      #expect(console.run("inspect", path, "--recover", "-o", copy) == .notEvaluated)
      #expect(console.errors.contains("update scrolltrace to read it"))
      #expect(!FileManager.default.fileExists(atPath: copy))
    }
  }

  @Test func `a summary describes the content of a sample`() async {
    await forEachCase(of: Self.samples, oneCase)
    @Sendable func oneCase(sample: String) throws {
      let console = try CapturedConsole()
      let status = console.run("inspect", Self.path(sample))
      #expect(status == (sample == "damaged" ? .lossy : .done))
      #expect(console.output.contains("Chunks "))
      #expect(console.output.contains("complete  scrolltrace.phase"))
      #expect(console.output.contains("DAMAGE") == (sample == "damaged"))
      #expect(console.output.contains("OPEN SPANS AT THE END") == (sample == "killed-mid-scroll"))
      let lines = console.output.split { $0 == "\n" }
      #expect(lines.dropFirst().allSatisfy { $0.count <= 80 })
    }
  }

  @Test func `a summary counts time from the start of the trace, whatever its clock`() throws {
    let console = try CapturedConsole()
    _ = console.run("inspect", Self.path("feed-commit-hitches"))
    #expect(console.output.contains("DROPS     FROM       TO"))
    #expect(
      console.output.contains("  main (main, id 1)     2262       3      0  0.000 s  3.317 s"))
  }

  @Test func `a category of our own has a short name`() async {
    await forEachCase(
      of: [["--category", "image"], ["--category", "scrolltrace.image"]], oneCase)
    @Sendable func oneCase(filter: [String]) throws {
      let console = try CapturedConsole()
      let words = ["inspect", Self.path("feed-smooth"), "--records", "--limit", "1"] + filter
      #expect(console.run(words) == .done)
      #expect(console.output.contains("scrolltrace.image"))
      #expect(console.errors.isEmpty)
    }
  }

  @Test func `a filter that matches nothing is reported with the available values`() async {
    await forEachCase(of: [
      (["--category", "nope"], "no records match; categories: scrolltrace.cell, "),
      (["--thread", "77"], "no records match; threads: 1, 2, 3\n"),
      (["--from-offset", "99999999"], "no records match; none starts at or after byte 99999999\n"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ filter: [String], _ complaint: String) throws {
      let console = try CapturedConsole()
      let words = ["inspect", Self.path("feed-smooth"), "--records"] + filter
      #expect(console.run(words) == .done)
      #expect(console.output.isEmpty)
      #expect(console.errors.contains(complaint))
    }
  }

  @Test func `the copy of a sample gives the same numbers`() async {
    await forEachCase(of: Self.samples, oneCase)
    @Sendable func oneCase(sample: String) throws {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.path(sample))))
      let (copy, recovery) = try Self.recover(bytes)
      let original = try TraceFile.read(MemoryByteSource(bytes))
      let again = try TraceFile.read(MemoryByteSource(copy))
      #expect(recovery.hasLost == (sample == "damaged"))
      #expect(again.losses.isEmpty == original.losses.isEmpty)
      let isSame = Self.figures(original) == Self.figures(again)
      #expect(isSame)
      #expect(try FXTInventory(of: MemoryByteSource(copy)).damageCount == 0)
      #expect(try !Self.recover(copy).recovery.hasLost)
    }
  }

  @Test func `the copy of any damaged file is intact, has the same numbers and records the damage`()
    async
  {
    await forEachCase(of: ExtraCases.some(12, of: 0..<200 as Range<UInt64>), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let sample = Self.samples[Int.random(in: 1..<Self.samples.count, using: &random)]
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.path(sample))))
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 4096..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1:
          for index in place..<min(place + 4096, bytes.count) { bytes[index] = 0 }
        case 2: bytes.removeLast(bytes.count - max(place, 40_000))
        default:
          for index in place..<min(place + 16, bytes.count) {
            bytes[index] = UInt8.random(in: .min ... .max, using: &random)
          }
        }
        if bytes.count < 45_000 { break }
      }
      let (copy, recovery) = try Self.recover(bytes)
      let original = try TraceFile.read(MemoryByteSource(bytes))
      let again = try TraceFile.read(MemoryByteSource(copy))
      let inventory = try FXTInventory(of: MemoryByteSource(copy))
      #expect(inventory.damage == [])
      #expect(inventory.seals[.wrong] == nil)
      let (before, after) = (Self.figures(original), Self.figures(again))
      let isSame = before == after
      let difference = zip(before, after).first { $0 != $1 }
      let place = difference.map { zip($0, $1).prefix { $0 == $1 }.count } ?? 0
      #expect(
        isSame,
        """
        seed \(seed), \(sample): \(difference?.0.dropFirst(max(0, place - 60)).prefix(200) ?? "") is not
        \(difference?.1.dropFirst(max(0, place - 60)).prefix(200) ?? "")
        """)
      if recovery.hasLost { #expect(!again.losses.isEmpty) }
      #expect(
        again.losses.isEmpty == original.losses.isEmpty,
        "\(original.losses) \(again.losses)")
    }
  }

  @Test func `records are listed one per line, with their offsets`() throws {
    let console = try CapturedConsole()
    let status = console.run(
      "inspect", Self.path("feed-smooth"), "--records", "--category", "scrolltrace.frame",
      "--limit", "3", "--format", "json")
    #expect(status == .done)
    let lines = console.output.split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["category"] as? String == "scrolltrace.frame")
      #expect(object?["offset"] as? Int ?? 0 > 4096)
    }
  }

  @Test func `a copy never overwrites its input or an existing file`() throws {
    let console = try CapturedConsole()
    let folder = URL(fileURLWithPath: console.folder)
    let input = folder.appendingPathComponent("in.fxt").path
    let output = folder.appendingPathComponent("out.fxt").path
    try FileManager.default.copyItem(atPath: Self.path("damaged"), toPath: input)
    func run(_ arguments: [String]) -> ScrollTraceCLI.ExitStatus {
      console.run(["inspect", input, "--recover"] + arguments)
    }
    #expect(run(["-o", input, "--force"]) == .notEvaluated)
    #expect(run(["-o", output]) == .lossy)
    #expect(run(["-o", output]) == .notEvaluated)
    #expect(run(["-o", output, "--force"]) == .lossy)
    #expect(run([]) == .usage)
    try FileManager.default.createSymbolicLink(
      atPath: output + ".link", withDestinationPath: output)
    #expect(run(["-o", output + ".link", "--force"]) == .notEvaluated)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
  }

  @Test(.needsExtraCases) func `files of other programs are recovered too`()
    async
  {
    await forEachCase(of: ["valid", "lanes", "async", "zeromid", "trunc"], oneCase)
    @Sendable func oneCase(name: String) throws {
      let path = try #require(ExtraCases.folder) + "/fxt/\(name).fxt"
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let (copy, _) = try Self.recover(bytes)
      let isSame =
        Self.figures(try TraceFile.read(MemoryByteSource(bytes)))
        == Self.figures(try TraceFile.read(MemoryByteSource(copy)))
      #expect(isSame)
    }
  }
}
