import Foundation
import ScrollTraceTestSupport
import Testing

/// The way from a device to the gate, taken from the guide and run as it stands there, with an `xcrun`
/// that gives the sample in place of a recording.
@Suite struct XctraceRecipeTests {
  /// The first block of commands in the guide, or a later one.
  private static func recipe(_ number: Int = 1) throws -> String {
    try PackageFiles.blocks(
      of: "sh", in: "Sources/ScrollTraceImport/ScrollTraceImport.docc/XctraceTraces.md")[number - 1]
  }

  /// Runs `script` where `xcrun` exports the sample, its table of hitches changed by `filter`.
  private func run(_ script: String, filter: String = "cat") throws -> ShellRun {
    let folder = TemporaryFolder()
    let sample = PackageFiles.sample("Foreign/hitches.xml")
    let xcrun = """
      out=
      for word; do [ "$last" = --output ] && out=$word; last=$word; done
      case "$*" in
      "xctrace record --template Animation Hitches "*" --device "*" --attach Feed "*) mkdir "$out" ;;
      "xctrace record --template Animation Hitches --device "*" --attach Feed "*) mkdir "$out" ;;
      "xctrace export --input run.trace --toc "*) sed '/<.trace-toc>/q' '\(sample)' > "$out" ;;
      "xctrace export --input run.trace "*'table[@schema="hitches"]')
        sed '1,/<.trace-toc>/d' '\(sample)' | \(filter) > "$out" ;;
      "xctrace export --input run.trace "*'table[@schema="hitches"] | /trace-toc/'*'"thread-state"]')
        sed '1,/<.trace-toc>/d' '\(sample)' > "$out" ;;
      *) exit 9 ;;
      esac
      """
    // A shell writes them: a process that another test starts at this time could hold them open.
    let written = try ShellRun(
      "mkdir bin; for name in xcrun scrolltrace; do printf '#!/bin/sh\\n%s\\n' \"$1\" > bin/$name; shift; done"
        + "; chmod 755 bin/*",
      [xcrun, "exec '\(try CommandProcess.command())' \"$@\""], in: folder.path)
    try #require(written.status == 0, "\(written.output)")
    return try ShellRun("PATH=\"$PWD/bin:$PATH\"; DEVICE=1; \(script)", in: folder.path)
  }

  @Test func `the recipe ends in the verdict of the check`() throws {
    let done = try run(try Self.recipe())
    // 250 ms in the recorded part of the interaction, 6 s.
    #expect(done.status == 1, "\(done.output)")
    #expect(done.output.contains("41.67 ms/s"), "\(done.output)")
  }

  @Test func `the recipe of several tables in one export is a report on its hitches`() throws {
    let done = try run(try Self.recipe(2))
    #expect(done.status == 0, "\(done.output)")
    #expect(done.output.contains("42 ms/s of hitch time"), "\(done.output)")
  }

  @Test
  func `a list without its table of contents is not evaluated, nor is a failed export`() throws {
    let recipe = try Self.recipe()
    let alone = recipe.replacingOccurrences(of: "cat toc.xml", with: "cat")
      .replacingOccurrences(of: " --define scroll=2s..12s", with: "")
    let done = try run(alone)
    #expect(done.status == 2, "\(done.output)")
    #expect(done.output.contains("NOT EVALUATED"), "\(done.output)")
    let failed = try run(recipe, filter: "sed -n '1,2p;$p'")
    #expect(failed.status == 2, "\(failed.output)")
    #expect(failed.output.contains("contains no table"), "\(failed.output)")
  }
}
