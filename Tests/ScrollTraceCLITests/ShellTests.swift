import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI
@testable import ScrollTraceTerminal

/// Completion scripts.
struct ShellTests {
  @Test func `a completion script contains every command, flag and choice`() async {
    await forEachCase(of: CompletionScript.Shell.allCases, oneCase)
    @Sendable func oneCase(shell: CompletionScript.Shell) throws {
      let console = try CapturedConsole()
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
      let console = try CapturedConsole()
      #expect(console.run("completions", shell.rawValue) == .done)
      let script = try console.file("script", console.output)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = ["-n", script]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }

  @Test func `bash completes commands, flags and choices`() throws {
    let console = try CapturedConsole()
    #expect(console.run("completions", "bash") == .done)
    let script = try console.file("script", console.output)
    func complete(_ words: String...) throws -> [String] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      let list = (["scrolltrace"] + words).map { "'\($0)'" }.joined(separator: " ")
      process.arguments = [
        "-c",
        "source '\(script)'; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count); _scrolltrace;"
          + " printf '%s\\n' \"${COMPREPLY[@]}\"",
      ]
      let pipe = Pipe()
      process.standardOutput = pipe
      process.currentDirectoryURL = URL(fileURLWithPath: console.folder)
      try process.run()
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self).split { $0 == "\n" }.map(String.init)
    }
    #expect(try complete("ins") == ["inspect"])
    #expect(try complete("inspect", "--max-l") == ["--max-line-bytes"])
    #expect(try complete("analyze", "--color", "") == ["auto", "always", "never"])
    #expect(try complete("analyze", "scr") == ["script"])
  }

  @Test func `an unknown shell is a usage error`() throws {
    let console = try CapturedConsole()
    #expect(console.run("completions", "csh") == .usage)
    #expect(console.run("completions") == .usage)
  }
}
