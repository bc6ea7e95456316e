import Foundation
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The bindings record, and what they record is analyzed.
@Suite(.needsTime) struct BindingTests {
  private static let bindings = Library.sources.appendingPathComponent("Bindings").path
  private static let web = Library.programs.appendingPathComponent("Web").path

  /// The variables with which Python finds the module and the library.
  private static func environment() throws -> String {
    "PYTHONDONTWRITEBYTECODE=1 SCROLLTRACE_LIBRARY='\(try Library.folder())/\(Library.name)'"
  }

  // MARK: C++

  @Test(.needs("g++ or clang++", if: !Self.compilers.isEmpty))
  func `the example in C++ ends what it began, and its report names the expensive row`() throws {
    for compiler in Self.compilers {
      let source = Library.examples.appendingPathComponent("feed.cpp")
      let program = try CProgram(
        source, with: compiler, options: "-I '\(Self.bindings)' -Wshadow")
      let folder = TemporaryFolder()
      let trace = folder.path + "/run.fxt"
      try program.record(to: trace)
      let lines = try TraceLines(trace)
      #expect(lines.trace.isComplete && lines.trace.openSpans.isEmpty)
      let cells = lines.spans.filter { $0.contains("scrolltrace.cell/configure") }
      #expect(cells.count == 40)
      #expect(cells[17].contains("list=feed item=1017 position=17"))
      #expect(lines.spans.filter { $0.contains("phase/commit") }.count == 40)
      #expect(lines.trace.interactions.allSatisfy { $0.end != nil })
      let surface = try #require(TraceAnalyzer().analyze(lines.trace).evaluatedPrimarySurface)
      let late = try #require(surface.hitches.first { $0.frame == 18 })
      #expect(late.attribution?.causes.first?.item == "1017")
    }
  }

  private static let compilers = CProgram.Compiler.all.filter { $0.command.hasSuffix("++") }

  // MARK: Python

  @Test(.needs("python3", if: Shell.has("python3")))
  func `Python records spans, frames, and the parts of its tasks`() throws {
    let folder = TemporaryFolder()
    let trace = folder.path + "/run.fxt"
    let program = Library.programs.appendingPathComponent("bindings.py").path
    try Shell.run(
      "PYTHONPATH='\(Self.bindings)' \(try Self.environment()) python3 '\(program)' '\(trace)'")
    let lines = try TraceLines(trace)
    #expect(lines.trace.isComplete && lines.trace.openSpans.isEmpty)
    let main = lines.spans(of: "the main one")
    let expected = [
      "the main one: scrolltrace.frame/display frame=1",
      "the main one: scrolltrace.phase/layout",
      "the main one: scrolltrace.cell/configure list=feed item=7 position=3 reused=false",
      "the main one: scrolltrace.image/decode item=7",
      "the main one: scrolltrace.work/sort",
      "the main one: scrolltrace.frame/display frame=2",
      "the main one: scrolltrace.cell/fails",
    ]
    #expect(Array(main.prefix(7)) == expected)
    #expect(lines.spans.contains("worker: scrolltrace.image/decode item=8"))
    #expect(!lines.spans.contains { $0.contains("while off") })
    // Three parts of the two tasks that end, two of the one that fails, and two of the canceled one.
    #expect(
      lines.spans.filter { $0.hasSuffix("scrolltrace.data/load page") }.count == 3 + 3 + 2 + 2)
    #expect(lines.asyncSpans.filter { $0 == "scrolltrace.data/load page" }.count == 4)
    #expect(lines.asyncSpans.contains("scrolltrace.waiting/after the fact"))
    #expect(
      lines.marks == [
        "scrolltrace.work/tapped item=0", "scrolltrace.image/placeholder item=7 view=1",
      ])
    #expect(lines.samples == ["cache=-5.0", "offset=0.5"])
    #expect(lines.states == ["screen=Feed", "screen=-"])
    let frame = try #require(lines.trace.surfaces.first?.frames[0])
    let start = try #require(frame.start).nanoseconds
    #expect(frame.presented?.nanoseconds == start + 24_000_000)
  }

  @Test(
    .needs(
      "python3 with venv, setuptools and wheel",
      if: (try? Shell.run("python3 -c 'import ensurepip, setuptools, wheel'")) != nil))
  func `pip installs the module, with which the example records`() throws {
    let folder = TemporaryFolder()
    let example = Library.examples.appendingPathComponent("feed.py").path
    let trace = folder.path + "/run.fxt"
    // What pip makes in the folder stays in a copy of it.
    let version = try Shell.run(
      """
      set -e
      cd '\(folder.path)' && cp -R '\(Self.bindings)' bindings && unset PYTHONPATH
      python3 -m venv --system-site-packages env
      env/bin/pip install -q --no-index --no-build-isolation --disable-pip-version-check ./bindings
      \(try Self.environment()) env/bin/python '\(example)' '\(trace)'
      env/bin/python -c 'import importlib.metadata as m; print(m.version("scrolltrace"))'
      """)
    #expect(version == "0.1.0\n")
    let surface = try #require(
      TraceAnalyzer().analyze(try TraceLines(trace).trace).evaluatedPrimarySurface)
    #expect(surface.counts.total == 40)
    #expect(surface.hitches.contains { $0.attribution?.causes.first?.item == "17" })
  }

  @Test(.needs("python3", if: Shell.has("python3")))
  func `without a library that fits, Python gets one line that says what to do`() throws {
    let folder = TemporaryFolder()
    let text = try folder.write("no library", to: "libCScrollTrace.so")
    func message(_ variables: String) throws -> String {
      try Shell.run(
        """
        PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='\(Self.bindings)' \(variables) python3 -c '
        import scrolltrace
        try: scrolltrace.Recorder("\(folder.path)/run.fxt")
        except scrolltrace.LibraryNotFound as error: print(error)'
        """)
    }
    let advice = "; install it with install.sh, or set SCROLLTRACE_LIBRARY to its file\n"
    let invalid = try message("SCROLLTRACE_LIBRARY='\(text)'")
    #expect(invalid.hasPrefix("libCScrollTrace: \(text): ") && invalid.hasSuffix(advice))
    let absent = try message("SCROLLTRACE_LIBRARY=/absent.so")
    #expect(absent.hasPrefix("libCScrollTrace: /absent.so: ") && absent.hasSuffix(advice))
  }

  // MARK: Web pages

  private static let script = bindings + "/scrolltrace.js"

  /// Analyzes lines that a page has written.
  private static func analyze(_ path: String) throws -> Analysis {
    let lines = try TraceLines(path)
    #expect(lines.trace.losses.isEmpty)
    return TraceAnalyzer().analyze(lines.trace)
  }

  @Test(.needs("node", if: Shell.has("node")))
  func `a simulated page is recorded while it moves, and no longer`() throws {
    let folder = TemporaryFolder()
    let trace = folder.path + "/page.ndjson"
    try Shell.run("node '\(Self.web)/simulated.mjs' '\(Self.script)' > '\(trace)'")
    let analysis = try Self.analyze(trace)
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.counts.total == 8)
    #expect(analysis.trace.interactions.map(\.kind) == ["drag", "deceleration", "scroll"])
    let lengths = analysis.trace.interactions.compactMap { interaction in
      interaction.end.map { $0.nanoseconds - interaction.start.nanoseconds }
    }
    #expect(lengths == [39_000_000, 41_000_000, 20_000_000])
    // No frame at 150 and at 160 ms.
    #expect(surface.hitches.map(\.length.nanoseconds) == [20_000_000])
    guard case .work(let category, let name)? = surface.causes.first?.kind else {
      Issue.record("the long animation frame has no cause")
      return
    }
    #expect(category == "script" && name == "IMG.onload")
  }

  @Test(.needs("node", if: Shell.has("node")))
  func `rows in view without their content are blank time`() throws {
    let folder = TemporaryFolder()
    let trace = folder.path + "/rows.ndjson"
    try Shell.run("node '\(Self.web)/rows.mjs' '\(Self.script)' > '\(trace)'")
    let list = try #require(try Self.analyze(trace).lists.first)
    // Both rows for 50 ms, one of two for the rest.
    #expect(list.blank?.time.nanoseconds == 525_000_000)
    #expect(list.images.neverFinal == 1)
  }

  @Test(.needs("chromium", if: Shell.has("chromium")), .needs("python3", if: Shell.has("python3")))
  func `in Chromium, both stalls of a list moved by scrollTo are found, also the one at its end`()
    throws
  {
    let folder = TemporaryFolder()
    let (trace, log) = (folder.path + "/page.ndjson", folder.path + "/log.json")
    try Shell.run(
      """
      timeout 90 python3 '\(Self.web)/server.py' '\(Self.script)' '\(trace)' '\(log)' \
      chromium --headless --no-sandbox --disable-gpu
      """)
    let page = try JSONNode(String(contentsOfFile: log, encoding: .utf8))
    // One piece was refused, and the answer to another was lost: nothing is missing, nothing twice.
    page.expect(["isComplete": true, "failures": 2])
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    #expect(text.split(separator: "\n").count == page["lines"].integer)

    let analysis = try Self.analyze(trace)
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.counts.total == page["frames"].integer)
    #expect(analysis.trace.interactions.map(\.kind) == ["scroll"])
    let stalls = surface.hitches.filter { $0.length.nanoseconds > 150_000_000 }
    #expect(stalls.count == 2)
    for stall in stalls {
      let cause = try #require(stall.attribution?.causes.first)
      #expect(cause.category == "script" && ["scroll", "stallTheMainThread"].contains(cause.name))
    }
    #expect(text.contains(#""mark":"final","category":"scrolltrace.image","item":1005"#))
  }
}
