package import ScrollTraceKit
import ScrollTracePlatform

/// The options of every command that opens traces: the limits of their size, and where names are.
package enum InputLimitFlags {
  static let input = Flag(
    name: "max-input-bytes", value: "count", standard: "8 GiB",
    help: "Maximum input size.")
  static let decompressed = Flag(
    name: "max-decompressed-bytes", value: "count",
    standard: "4 GiB",
    help: "Maximum decompressed size.")
  static let line = Flag(
    name: "max-line-bytes", value: "count", standard: "1 MiB",
    help: "Skip longer NDJSON and CSV lines.")

  static let symbols = Flag(
    name: "symbols", value: "path", isRepeatable: true, group: .input,
    help: "Symbolicate sampled code with a file, a dSYM or the files in a folder.")

  static let rawNames = Flag(
    name: "raw-names", group: .input,
    help: "Name sampled functions by their symbols, without demangling.")

  /// The options about names of sampled code.
  package static let names = [symbols, rawNames]

  static let all = names + [input, decompressed, line]

  static func options(_ arguments: ParsedArguments) throws(UsageError) -> ImportOptions {
    var options = nameOptions(arguments)
    let form = "a size such as 8G"
    let count = { (text: String) in ByteCount(text).map { UInt64($0.bytes) } }
    options.maximumByteCount =
      try arguments.value(of: input, as: count, expecting: form) ?? options.maximumByteCount
    options.maximumDecompressedByteCount =
      try arguments.value(of: decompressed, as: count, expecting: form)
      ?? options.maximumDecompressedByteCount
    // A whole line is held in memory.
    let length = { (text: String) in
      ByteCount(text).flatMap { $0.bytes <= 1 << 30 ? $0.bytes : nil }
    }
    if let value = try arguments.value(
      of: line, as: length, expecting: "a size such as 512K, up to 1G")
    {
      options.maximumLineLength = value
    }
    return options
  }

  package static func nameOptions(_ arguments: ParsedArguments) -> ImportOptions {
    var options = ImportOptions()
    options.symbolFolders = arguments.values(of: symbols)
    options.keepsRawNames = arguments.has(rawNames)
    return options
  }

  /// Returns a path of symbols in `arguments` without any, with the problem, or `nil` if there is none.
  static func missingSymbols(_ arguments: ParsedArguments) -> (path: String, problem: String)? {
    for path in arguments.values(of: symbols) {
      if let folder = opendir(path) {
        closedir(folder)
      } else if errno != ENOTDIR {
        return (path, "cannot be opened: \(String(cString: strerror(errno)))")
      } else if SymbolFile(path: path, isTrusted: true) == nil {
        return (path, "is neither a folder nor an ELF or Mach-O file for 64 bits")
      }
    }
    return nil
  }
}
