import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI
@testable import ScrollTraceTerminal

/// The names of options: declared once, once in each command.
struct FlagNameTests {
  private static let syntaxes = ScrollTraceCommand.commands(adding: TerminalCommands.all)
    .map { $0.syntax }

  @Test func `no command has two options with one name`() {
    for syntax in Self.syntaxes {
      let names = syntax.allFlags.map(\.name)
      #expect(Set(names).count == names.count, "\(syntax.name)")
    }
  }

  @Test func `help consists of sentences in lines of at most 80 columns`() throws {
    let console = try CapturedConsole()
    console.environment.terminalWidth = 200
    for syntax in Self.syntaxes {
      #expect(syntax.abstract.hasSuffix("."))
      for flag in syntax.allFlags {
        #expect(flag.help.hasSuffix(".") && flag.help.first?.isUppercase == true, "\(flag.name)")
      }
      #expect(console.run("help", syntax.name) == .done)
      #expect(console.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(syntax.name)")
    }
    #expect(console.run("--help") == .done)
    #expect(console.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `an unknown action suggests the nearest one`() throws {
    let console = try CapturedConsole()
    #expect(console.run("config", "sohw") == .usage)
    #expect(console.errors.contains("Unknown action 'sohw'. Did you mean 'show'?"))
  }

  @Test func `missing options and operands are named`() throws {
    let console = try CapturedConsole()
    #expect(console.run("convert", "x") == .usage)
    #expect(console.errors.hasPrefix("Error: Missing required option '--output <file>'\n"))
    #expect(console.run("inspect") == .usage)
    #expect(console.errors.hasPrefix("Error: Missing expected argument '<trace>'\n"))
  }
}
