/// Why what a command line asks for cannot be had.
enum ArgumentFailure: Error {
  /// The command line, or a file that it names, says what the tool does not know.
  case usage(UsageError)
  /// A file that it names cannot be read.
  case unreadable(path: String, problem: String)

  /// Says on `console` what cannot be read; what is wrong with the command line is its caller's.
  func report(on console: Console) throws(UsageError) {
    switch self {
    case .usage(let error): throw error
    case .unreadable(let path, let problem): console.complain(about: path, problem)
    }
  }
}
