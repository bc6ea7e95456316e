import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI
@testable import ScrollTraceTerminal

/// The names of options: declared once, with earlier spellings that no help lists.
struct FlagNameTests {
  private static let syntaxes = ScrollTraceCommand.commands(adding: TerminalCommands.all)
    .map { $0.syntax }

  private static let aliases: [(command: String, old: String, new: String)] = [
    ("analyze", "profile", "thresholds"), ("check", "profile", "thresholds"),
    ("check", "preset", "thresholds"), ("config", "preset", "thresholds"),
    ("analyze", "interval", "only-interaction"),
    ("analyze", "max-expanded-bytes", "max-decompressed-bytes"),
    ("check", "max-misses", "max-deadline-misses"), ("check", "max-longest", "max-longest-hitch"),
    ("predict", "cheaper", "speedup"), ("convert", "to", "format"), ("demo", "ring", "ring-size"),
    ("demo", "session", "script"), ("demo", "save-session", "save-script"),
    ("demo", "virtual", "virtual-time"), ("demo", "seconds", "duration"),
    ("demo", "samples", "write-samples"), ("watch", "for", "duration"),
  ]

  @Test func `a former spelling is accepted and listed nowhere`() async {
    await forEachCase(of: Self.aliases) { try oneCase($0, $1, $2) }
    @Sendable func oneCase(_ command: String, _ old: String, _ new: String) throws {
      let syntax = try #require(Self.syntaxes.first { $0.name == command })
      let flag = try #require(syntax.allFlags.first { $0.isNamed(old) })
      #expect(flag.name == new)
      let value = flag.value == nil ? [] : [flag.choices.first ?? "1"]
      let operands = syntax.operand == nil ? [] : ["x"]
      let parsed = try ArgumentParser.parse(
        (["--\(old)"] + value + operands)[...], as: syntax)
      #expect(parsed.has(flag))
      let console = try CapturedConsole()
      for words in [["help", command], ["completions", "fish"], ["man"]] {
        #expect(console.run(words) == .done)
        let isOptionElsewhere = words[0] != "help"
        guard
          !isOptionElsewhere
            || !Self.syntaxes.flatMap(\.allFlags).contains(where: { $0.name == old })
        else { continue }
        #expect(!console.output.contains("--\(old) ") && !console.output.contains("-l \(old) "))
        #expect(!console.output.contains("\\-\\-\(old.replacing("-", with: "\\-")) "))
      }
    }
  }

  @Test func `no command has two options with one name, former names included`() {
    for syntax in Self.syntaxes {
      let names = syntax.allFlags.flatMap { [$0.name] + $0.aliases }
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

  @Test func `former actions and choices are accepted too`() throws {
    let console = try CapturedConsole()
    for (old, new) in [("dump", "show"), ("check", "validate")] {
      #expect(console.run("config", old) == .done)
      let output = console.output
      #expect(console.run("config", new) == .done)
      #expect(console.output == output)
    }
    #expect(console.run("config", "sohw") == .usage)
    #expect(console.errors.contains("Unknown action 'sohw'. Did you mean 'show'?"))
    let flag = Flag(
      name: "change", value: "change", choices: ["new"], choiceAliases: ["old": "new"], help: "A.")
    let parsed = try ArgumentParser.parse(
      ["--change", "old"], as: CommandSyntax(name: "x", abstract: "X.", flags: [flag]))
    #expect(parsed.value(of: flag) == "new")
  }

  @Test func `missing options and operands are named`() throws {
    let console = try CapturedConsole()
    #expect(console.run("convert", "x") == .usage)
    #expect(console.errors.hasPrefix("Error: Missing required option '--output <file>'\n"))
    #expect(console.run("inspect") == .usage)
    #expect(console.errors.hasPrefix("Error: Missing expected argument '<trace>'\n"))
  }
}
