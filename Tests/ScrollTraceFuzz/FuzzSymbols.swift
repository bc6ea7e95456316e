import ScrollTraceImport
import ScrollTracePlatform

/// Files with the names of functions.
enum FuzzSymbols {
  /// Looks up each word of the input, which are addresses of its symbols, among others.
  static func run(_ input: [UInt8]) { FuzzFiles.withFile { look(input, in: $0, path: $1) } }

  private static func look(_ input: [UInt8], in file: Int32, path: String) {
    let written = input.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    precondition(written == input.count, "the file can be written")
    guard let symbols = SymbolFile(path: path, isTrusted: false) else { return }
    _ = symbols.isBuild("65685f6672616d65")
    let addresses = input.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 7, by: 4).prefix(4_096).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
      }
    }
    let sorted = addresses.sorted()
    let names = symbols.names(of: sorted)
    precondition(names.count == addresses.count, "a name for each address, or none")
    if let starts = symbols.starts(of: sorted) {
      precondition(
        zip(starts, sorted).allSatisfy { start, address in start.map { $0 <= address } ?? true },
        "a function starts before the code in it")
    }
    for name in Set(names.compactMap { $0 }) {
      _ = FunctionName.shortened(name)
      _ = CPlusPlusName.shortened(name)
    }
  }
}
