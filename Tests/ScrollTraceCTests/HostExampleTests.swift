import Foundation
import ScrollTraceAnalysis
import Testing

/// The short hosts of the documentation, judged by what they print themselves; asked for by
/// `SCROLLTRACE_HOSTS=1`, since they need GTK 4, SDL 2, Xvfb and `script`.
@Suite(
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["SCROLLTRACE_HOSTS"] != nil,
    "it needs GTK 4, SDL 2, Xvfb and script; to run it: SCROLLTRACE_HOSTS=1 swift test --filter HostExampleTests"
  ))
struct HostExampleTests {
  private let folder = ScratchFolder()
  private var trace: String { folder.path + "/run.fxt" }
  private var log: String { folder.path + "/log" }

  private static func program(_ name: String, _ package: String) throws -> CProgram {
    let source = Library.examples.appendingPathComponent(name).path
    let library = try Library.folder()
    return try CProgram { path in
      """
      cc -Wall -Wextra -Wno-unused-parameter -Werror -I '\(Library.include)' '\(source)' \
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
    for name in ["host-gtk.c", "host-sdl.c", "host_curses.py", "feed.py", "Feed.kt"] {
      let text = try String(
        contentsOf: Library.examples.appendingPathComponent(name), encoding: .utf8)
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "\(name)")
    }
  }
}
