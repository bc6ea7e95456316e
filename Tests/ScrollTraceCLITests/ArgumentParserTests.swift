import ScrollTraceKit
import Testing

@testable import ScrollTraceCLI

@Suite struct ArgumentParserTests {
  private static let kind = Flag(
    name: "kind", short: "k", value: "kind", choices: ["mean", "median", "mode"], group: .output,
    help: "The kind of average to provide. The last one counts.")

  private let syntax = CommandSyntax(
    name: "average", abstract: "Print the average of the values.",
    operand: .init(name: "value", help: "A value.", isRepeatable: true),
    flags: [
      Self.kind,
      Flag(name: "hex-output", short: "x", help: "Use hexadecimal notation."),
      Flag(name: "verbose", short: "v", help: "Say more."),
      Flag(name: "limit", value: "limit", isRepeatable: true, group: .limits, help: "A limit."),
    ],
    common: [Self.kind])

  private func parse(_ arguments: String...) throws(UsageError) -> ParsedArguments {
    try ArgumentParser.parse(arguments[...], as: syntax)
  }

  private func message(_ arguments: String...) -> String? {
    do {
      _ = try ArgumentParser.parse(arguments[...], as: syntax)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `values follow a space or an equals sign, options can be anywhere`() throws {
    for arguments in [
      ["--kind", "mean", "1"], ["--kind=mean", "1"], ["1", "-k", "mean"], ["1", "-k=mean"],
    ] {
      let parsed = try ArgumentParser.parse(arguments[...], as: syntax)
      #expect(parsed.value(of: syntax.flags[0]) == "mean")
      #expect(parsed.operands == ["1"])
    }
  }

  @Test func `the last value counts, and all values of a repeatable option`() throws {
    let parsed = try parse("--kind=mean", "--kind=mode", "--limit=1", "--limit=2", "x")
    #expect(parsed.values(of: syntax.flags[0]) == ["mode"])
    #expect(parsed.values(of: syntax.flags[3]) == ["1", "2"])
  }

  @Test func `after two dashes everything is an operand, and a single dash always is`() throws {
    #expect(try parse("-", "--", "--kind", "-x").operands == ["-", "--kind", "-x"])
    #expect(try parse("--limit", "-", "a").operands == ["a"])
    #expect(try parse("--limit", "-1", "a").operands == ["a"])
  }

  @Test func `flags can be combined after one dash`() throws {
    let parsed = try parse("-xvk", "mean", "1")
    #expect(parsed.has(syntax.flags[1]) && parsed.has(syntax.flags[2]))
    #expect(parsed.value(of: syntax.flags[0]) == "mean")
  }

  @Test func `errors name the mistake and suggest a correction`() {
    #expect(
      message("--hexoutput", "1") == "Unknown option '--hexoutput'. Did you mean '--hex-output'?")
    #expect(message("--hepl") == "Unknown option '--hepl'. Did you mean '--help'?")
    #expect(message("--entirely-else", "1") == "Unknown option '--entirely-else'")
    #expect(message("-q", "1") == "Unknown option '-q'")
    #expect(
      message("--kind", "meen", "1")
        == "--kind: 'meen' is not one of its values; try 'mean'")
    #expect(message("1", "--kind") == "Missing value for '--kind <kind>'")
    #expect(message("--kind", "--verbose", "1") == "Missing value for '--kind <kind>'")
    #expect(message("--verbose=1", "1") == "The option '--verbose' takes no value")
    #expect(message("-v") == "Missing expected argument '<value>'")
  }

  @Test func `help needs no operand`() throws {
    #expect(try parse("-h").has(.help) && !parse("-h").asksForAllHelp)
    #expect(try parse("--help").has(.help) && parse("--help").asksForAllHelp)
    #expect(try parse("--version").has(.version))
  }

  @Test func `help has two columns and wraps at the width`() {
    let text = HelpText(width: 60).help(on: syntax)
    #expect(
      text == """
        Print the average of the values.

        USAGE: scrolltrace average [<options>] <value> ...

        ARGUMENTS:
          <value>                 A value.

        OUTPUT:
          -k, --kind <kind>       The kind of average to provide.
                                  The last one counts. (values:
                                  mean, median, mode)

        LIMITS:
          --limit <limit>         A limit. Repeatable.

        ADVANCED:
          -x, --hex-output        Use hexadecimal notation.
          -v, --verbose           Say more.
          --version               Show the version.
          -h, --help              Show common options (-h) or all
                                  options (--help).

        EXIT STATUS:
          0  success, even without data
          2  unreadable input, unwritable output or empty selection
          3  success, but trace data was lost
          64 usage error

        """)
  }

  @Test func `short help lists what people use`() {
    #expect(
      HelpText(width: 60).summary(of: syntax) == """
        Print the average of the values.

        USAGE: scrolltrace average [<options>] <value> ...

        OPTIONS:
          -k, --kind <kind>  The kind of average to provide.

        Everything: scrolltrace average --help

        """)
  }

  @Test func `the fewest edits decide a suggestion, and too many give none`() {
    #expect(Suggestion.distance("kitten", "sitting") == 3)
    #expect(Suggestion.nearest(to: "analize", in: ["demo", "analyze"]) == "analyze")
    #expect(Suggestion.nearest(to: "zzzzzz", in: ["demo", "analyze"]) == nil)
    #expect(Suggestion.nearest(to: "json", in: ["from", "to"]) == nil)
    #expect(Suggestion.nearest(to: "limit", in: ["limits"]) == "limits")
  }
}
