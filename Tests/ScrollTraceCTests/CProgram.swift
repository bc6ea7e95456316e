import Foundation
import ScrollTraceTestSupport
import Testing

/// A program in C or C++ that is built from the header and the library alone, as a host builds it.
struct CProgram {
  /// What a command did.
  struct Failure: Error, CustomStringConvertible {
    let command: String
    let output: String
    var description: String { "\(command)\n\(output)" }
  }

  /// A compiler and the language it is told to take the source for.
  struct Compiler: Sendable, CustomTestStringConvertible {
    let command: String
    let options: String
    var testDescription: String { command }

    /// Whether it is installed here.
    var isThere: Bool { (try? Shell.run("\(command) --version")) != nil }

    static let gcc = Compiler(command: "gcc", options: "-std=c11")
    static let clang = Compiler(command: "clang", options: "-std=c11")
    static let gxx = Compiler(command: "g++", options: "-std=c++17 -x c++")
    static let clangxx = Compiler(command: "clang++", options: "-std=c++17 -x c++")

    /// Those that are installed here.
    static let all = [gcc, clang, gxx, clangxx].filter(\.isThere)
    /// One that takes C, if any is installed.
    static let c = [clang, gcc].first(where: \.isThere)
  }

  /// What no warning may come from.
  static let warnings = "-Wall -Wextra -Wpedantic -Werror"

  /// The folder of the built program, which goes away with it.
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/program" }

  /// Builds a source with more options where it needs them.
  init(_ source: URL, with compiler: Compiler, options: String = "") throws {
    folder = TemporaryFolder()
    let library = try Library.folder()
    try Shell.run(
      """
      \(compiler.command) \(compiler.options) \(Self.warnings) -pthread -I '\(Library.include)' \
      '\(source.path)' -o '\(path)' \
      -L '\(library)' -lCScrollTrace '-Wl,-rpath,\(library)' \(options)
      """)
  }

  /// Builds a source by a command line that says where everything is.
  init(line: (_ program: String) -> String) throws {
    folder = TemporaryFolder()
    try Shell.run(line(path))
  }

  /// Runs the program with a path for a trace, in an environment that is set before it.
  ///
  /// - Parameters:
  ///   - arguments: The arguments before the path.
  ///   - last: The arguments after it.
  @discardableResult
  func record(
    to trace: String, arguments: String = "", after last: String = "", environment: String = ""
  ) throws -> String {
    try Shell.run("\(environment) '\(path)' \(arguments) '\(trace)' \(last)")
  }
}
