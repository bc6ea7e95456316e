import ScrollTraceKit

/// The options of every command that opens traces: how much it takes from a file that may be anything.
enum InputLimitFlags {
  static let input = Flag(
    name: "max-input-bytes", value: "count", standard: "8 GiB",
    help: "Refuse a file that is larger.")
  static let expanded = Flag(
    name: "max-expanded-bytes", value: "count", standard: "4 GiB",
    help: "Refuse a compressed file that becomes larger.")
  static let line = Flag(
    name: "max-line-bytes", value: "count", standard: "1 MiB",
    help: "Leave out lines of NDJSON and CSV that are longer.")

  /// All of them.
  static let all = [input, expanded, line]

  /// The limits that `arguments` name.
  static func options(_ arguments: ParsedArguments) throws(UsageError) -> ImportOptions {
    var options = ImportOptions()
    let form = "a number of bytes from 1 on, such as 512K, 64MiB or 8G"
    let count = { (text: String) in ByteCount(text).map { UInt64($0.bytes) } }
    if let value = try arguments.value(of: input, as: count, expecting: form) {
      options.maximumByteCount = value
    }
    if let value = try arguments.value(of: expanded, as: count, expecting: form) {
      options.maximumDecompressedByteCount = value
    }
    // A line lies in memory as a whole.
    let length = { (text: String) in
      ByteCount(text).flatMap { $0.bytes <= 1 << 30 ? $0.bytes : nil }
    }
    if let value = try arguments.value(
      of: line, as: length, expecting: "a number of bytes from 1 to 1 GiB, such as 512K")
    {
      options.maximumLineLength = value
    }
    return options
  }
}
