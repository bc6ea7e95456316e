import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI
@testable import ScrollTraceTerminal

/// The names of options: declared once, once in each command.
struct FlagNameTests {
  let console = CapturedConsole()

  private static let syntaxes = ScrollTraceCommand.commands(adding: TerminalCommands.all)
    .map { $0.syntax }

  @Test func `no command has two options with one name`() {
    for syntax in Self.syntaxes {
      let names = syntax.allFlags.map(\.name)
      #expect(Set(names).count == names.count, "\(syntax.name)")
    }
  }

  @Test func `help consists of sentences in lines of at most 80 columns`() throws {
    console.environment.terminalWidth = 200
    for syntax in Self.syntaxes {
      #expect(syntax.abstract.hasSuffix("."))
      for flag in syntax.allFlags {
        #expect(flag.help.hasSuffix(".") && flag.help.first?.isUppercase == true, "\(flag.name)")
      }
      #expect(console.run("help", syntax.name) == .done)
      #expect(console.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(syntax.name)")
      for flag in syntax.allFlags { #expect(console.output.contains("  \(flag.label)")) }
    }
    #expect(console.run("--help") == .done)
    #expect(console.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `short help is one screen and leads to all help`() throws {
    console.environment.terminalWidth = 200
    func checkScreen(_ name: String) {
      let lines = console.output.split(separator: "\n", omittingEmptySubsequences: false)
      // The last line feed makes an empty line.
      #expect(lines.count <= 25 && lines.allSatisfy { $0.count <= 80 }, "\(name)")
      #expect(console.output.contains("--help"), "\(name)")
    }
    for arguments in [[], ["-h"]] {
      #expect(console.run(arguments) == .done)
      checkScreen("scrolltrace")
    }
    for syntax in Self.syntaxes {
      #expect(console.run(syntax.name, "-h") == .done)
      checkScreen(syntax.name)
      for flag in syntax.common { #expect(console.output.contains("\n  \(flag.label) ")) }
      #expect(syntax.common.allSatisfy(syntax.flags.contains), "\(syntax.name)")
    }
  }

  @Test func `the old names are gone`() throws {
    for name in [
      "config", "configuration", "interaction", "interactions", "only-interaction",
      "interactions-from-marks", "force", "only-hitches", "errors-as-lines", "distinct",
      "smooth-at",
    ] {
      #expect(Self.syntaxes.allSatisfy { !$0.allFlags.map(\.name).contains(name) }, "\(name)")
    }
    #expect(console.run("config", "show") == .usage)
    #expect(console.run("analyze", "x", "--thresholds", "organizer") == .usage)
    #expect(console.errors.contains("(values: scroll, xcode-organizer;"))
  }

  @Test func `everything on standard error has a prefix that says what it is`() throws {
    let missing = console.folder + "/missing.fxt"
    for (arguments, prefix) in [
      (["analyze", missing], "error"), (["merge", missing], "error"), (["convert", "x"], "error"),
      (["nothing"], "error"), (["check", try console.trace("a.json")], ""),
      (["convert", PackageFiles.sample("feed-smooth.fxt"), "-o", "-", "-f", "ndjson"], "warning"),
    ] {
      _ = console.run(arguments)
      let start = prefix.isEmpty ? "" : "scrolltrace: \(prefix): "
      #expect(console.errors.hasPrefix(start) && console.errors.isEmpty == prefix.isEmpty)
    }
  }
}
