import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI
@testable import ScrollTraceTerminal

/// Completion scripts.
struct ShellTests {
  let console = CapturedConsole()

  @Test func `a completion script contains every command, flag and choice`() async {
    await forEachCase(of: CompletionScript.Shell.allCases, oneCase)
    @Sendable func oneCase(shell: CompletionScript.Shell) throws {
      let console = CapturedConsole()
      #expect(console.run("completions", shell.rawValue) == .done)
      for command in ScrollTraceCommand.commands(adding: TerminalCommands.all) {
        #expect(console.output.contains(command.syntax.name))
        for flag in command.syntax.allFlags {
          #expect(console.output.contains((shell == .fish ? "-l " : "--") + flag.name))
          for choice in flag.choices { #expect(console.output.contains(choice)) }
        }
      }
    }
  }

  @Test func `the shell itself accepts its script`() async {
    await forEachCase(of: CompletionScript.Shell.allCases, oneCase)
    @Sendable func oneCase(shell: CompletionScript.Shell) throws {
      let paths = ["/bin/\(shell.rawValue)", "/usr/bin/\(shell.rawValue)"]
      let path = paths.first { FileManager.default.isExecutableFile(atPath: $0) }
      // bash is on every machine that runs these tests.
      guard let path else { return #expect(shell != .bash) }
      let console = CapturedConsole()
      #expect(console.run("completions", shell.rawValue) == .done)
      let script = try console.file("script", console.output)
      #expect(try ShellRun("\(path) -n \"$1\"", [script]).status == 0)
    }
  }

  @Test func `bash completes commands, flags and choices`() throws {
    #expect(console.run("completions", "bash") == .done)
    let script = try console.file("script", console.output)
    func complete(_ words: String...) throws -> [String] {
      let list = (["scrolltrace"] + words).map { "'\($0)'" }.joined(separator: " ")
      let line =
        "source '\(script)'; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count); _scrolltrace;"
        + " printf '%s\\n' \"${COMPREPLY[@]}\""
      return try ShellRun("/bin/bash -c \"$1\"", [line], in: console.folder, keepsErrors: false)
        .output.split { $0 == "\n" }.map(String.init)
    }
    #expect(try complete("ins") == ["inspect"])
    #expect(try complete("inspect", "--max-l") == ["--max-line-bytes"])
    #expect(try complete("analyze", "--color", "") == ["auto", "always", "never"])
    #expect(try complete("analyze", "scr") == ["script"])
  }

  @Test func `an unknown shell is a usage error`() throws {
    #expect(console.run("completions", "csh") == .usage)
    #expect(console.run("completions") == .usage)
  }
}
