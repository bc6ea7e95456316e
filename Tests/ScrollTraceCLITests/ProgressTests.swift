import ScrollTraceKit
import ScrollTraceLayout
import Testing

@testable import ScrollTraceCLI

/// Long work shows its progress on a terminal, and nowhere else.
@Suite struct ProgressTests {
  /// What was written to standard error, from any thread.
  private final class Written: Sendable {
    private let text = Locked("")
    var content: String { text.withLock { $0 } }
    func append(_ more: String) { text.withLock { $0 += more } }
  }

  private static func console(isTerminal: Bool, _ written: Written) -> Console {
    var environment = CommandEnvironment(variables: ["LANG": "C.UTF-8"])
    environment.isErrorTerminal = isTerminal
    return Console(
      environment: environment, output: { _ in 0 },
      error: {
        written.append($0)
        return 0
      })
  }

  @Test func `the line appears during silent work, and disappears`() async throws {
    let written = Written()
    let progress = Progress(Self.console(isTerminal: true, written))
    progress.show("reading big.fxt")
    progress.read(1_000_000_000, of: 4_000_000_000)
    #expect(written.content.isEmpty)
    // The work reports nothing more; the line comes by itself.
    for _ in 0..<100 where !written.content.contains("reading") {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(written.content.hasPrefix("\r\u{1B}[Kreading big.fxt  1000.0 MB of 4000.0 MB, "))
    #expect(written.content.contains(" s left"))
    progress.clear()
    #expect(written.content.hasSuffix("\r\u{1B}[K"))
    let length = written.content.count
    try await Task.sleep(for: .milliseconds(300))
    #expect(written.content.count == length)
  }

  @Test func `short work and work without a terminal show nothing`() async throws {
    let written = Written()
    let short = Progress(Self.console(isTerminal: true, written))
    short.show("reading small.fxt")
    short.clear()
    let piped = Progress(Self.console(isTerminal: false, written))
    piped.show("reading big.fxt")
    piped.read(1, of: 2)
    try await Task.sleep(for: .milliseconds(700))
    piped.clear()
    #expect(written.content.isEmpty)
  }

  @Test func `speed and time left follow from what was read`() {
    func figures(_ bytes: UInt64, _ total: UInt64?, _ milliseconds: Int) -> String {
      Progress.figures(bytes: bytes, total: total, milliseconds: milliseconds)
    }
    #expect(
      figures(500_000_000, 2_000_000_000, 2000) == "  500.0 MB of 2000.0 MB, 250.0 MB/s, 6 s left")
    // Of a stream, the end is unknown; after the last byte, nothing is left to read.
    #expect(figures(500_000_000, nil, 1000) == "  500.0 MB, 500.0 MB/s")
    #expect(figures(5, 5, 1000) == "" && figures(0, 5, 1000) == "" && figures(5, 9, 0) == "")
    #expect(figures(1, .max, 1).hasSuffix(" s left"))
  }
}
