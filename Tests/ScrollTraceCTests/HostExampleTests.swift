import Foundation
import ScrollTraceAnalysis
import ScrollTraceTestSupport
import Testing

/// The short hosts of the documentation, checked by what they print themselves; asked for by
/// `SCROLLTRACE_HOSTS=1`, since they need GTK 4, SDL 2, Qt 6, Xvfb and `script`.
@Suite(
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["SCROLLTRACE_HOSTS"] != nil,
    """
    it needs GTK 4, SDL 2, Qt 6, Xvfb and script; to run it: \
    SCROLLTRACE_HOSTS=1 swift test --filter HostExampleTests
    """
  ))
struct HostExampleTests {
  private let folder = TemporaryFolder()
  private var trace: String { folder.path + "/run.fxt" }
  private var log: String { folder.path + "/log" }

  private static func program(_ name: String, _ package: String) throws -> CProgram {
    let source = Library.examples.appendingPathComponent(name).path
    let (library, bindings) = (try Library.folder(), Library.sources.path + "/Bindings")
    return try CProgram { path in
      """
      \(name.hasSuffix("cpp") ? "c++ -std=c++17 -fPIC" : "cc") \
      -Wall -Wextra -Wno-unused-parameter -Werror \
      -I '\(Library.include)' -I '\(bindings)' '\(source)' \
      $(pkg-config --cflags --libs \(package)) -L '\(library)' -lCScrollTrace \
      '-Wl,-rpath,\(library)' -o '\(path)'
      """
    }
  }

  /// Compares the worst hitch with the longest gap between two frames in the host's log.
  @discardableResult
  private func expectWorstHitchIsLongestGap(from first: Int = 1) throws -> Hitch {
    let text = try String(contentsOfFile: log, encoding: .utf8)
    return try HostLog(text).expectWorstHitchIsLongestGap(in: trace, from: first)
  }

  @Test func `a list drawn with SDL`() throws {
    try Self.program("host-sdl.c", "sdl2").record(
      to: "\(trace)' > '\(log)", environment: "SDL_VIDEODRIVER=dummy")
    try expectWorstHitchIsLongestGap()
  }

  @Test func `a GtkListView`() throws {
    try Self.program("host-gtk.c", "gtk4").record(
      to: "\(trace)' 2> /dev/null > '\(log)",
      environment: "GSK_RENDERER=cairo GDK_BACKEND=x11 timeout 60 xvfb-run -a")
    try expectWorstHitchIsLongestGap(from: 61)
  }

  @Test(
    .needs(
      "qt6-declarative-dev and qml6-module-qtquick",
      if: (try? Shell.run("pkg-config --exists Qt6Quick")) != nil),
    arguments: [
      "QT_QPA_PLATFORM=offscreen QT_QUICK_BACKEND=software",
      "QT_QPA_PLATFORM=xcb QSG_RENDER_LOOP=threaded xvfb-run -a",
    ])
  func `a ListView of Qt Quick, on one thread and with one that renders`(variables: String) throws {
    try Self.program("host-qt.cpp", "Qt6Quick").record(
      to: "\(trace)' 2> /dev/null > '\(log)", environment: "\(variables) timeout 60")
    try expectWorstHitchIsLongestGap()
    let lines = try TraceLines(trace)
    #expect(lines.spans.contains { $0.hasSuffix(": scrolltrace.cell/configure item=50") })
    let rendering = variables.contains("threaded") ? "QSGRenderThread" : "main"
    for part in ["synchronize", "render", "swap"] {
      #expect(lines.spans.contains("\(rendering): scrolltrace.work/\(part)"))
    }
    #expect(lines.asyncSpans.isEmpty)
  }

  @Test func `a list in a terminal, in Python`() throws {
    let example = Library.examples.appendingPathComponent("host_curses.py").path
    let bindings = Library.sources.appendingPathComponent("Bindings").path
    try Shell.run(
      """
      TERM=xterm PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='\(bindings)' \
      SCROLLTRACE_LIBRARY='\(try Library.folder())/\(Library.name)' \
      script -qec "python3 '\(example)' '\(trace)' '\(log)'" /dev/null
      """)
    let worst = try expectWorstHitchIsLongestGap()
    #expect(worst.attribution?.causes.contains { $0.name == "render" && $0.item == "40" } == true)
  }

  @Test func `no example is longer than sixty lines`() throws {
    for name in [
      "host-gtk.c", "host-sdl.c", "host-qt.cpp", "host_curses.py", "feed.py", "Feed.kt",
    ] {
      let text = try String(
        contentsOf: Library.examples.appendingPathComponent(name), encoding: .utf8)
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "\(name)")
    }
  }
}
