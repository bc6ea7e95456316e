#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Names of functions in C++, and in Rust as far as they look the same.
package enum CPlusPlusName {
  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?,
      UnsafeMutablePointer<CInt>?
    ) -> UnsafeMutablePointer<CChar>?

  private static let libraries = ["libstdc++.so.6", "libc++abi.so.1", "libc++abi.dylib"]

  /// The system's own function, loaded at run time so that nothing has to be installed, or `nil` without
  /// any.
  private static let demangle: Demangle? = {
    for name in libraries {
      // Never closed: the function is used for the lifetime of the process.
      guard let handle = dlopen(name, RTLD_NOW), let function = dlsym(handle, "__cxa_demangle")
      else { continue }
      return unsafeBitCast(function, to: Demangle.self)
    }
    return nil
  }()

  /// Returns the name of a mangled symbol as in the source, without arguments, or `nil` if it is none or
  /// this system cannot read it.
  static func readable(_ symbol: String) -> String? {
    guard symbol.hasPrefix("_Z"), let demangle, let text = demangle(symbol, nil, nil, nil) else {
      return nil
    }
    defer { free(text) }
    return shortened(String(cString: text))
  }

  /// Returns a function's name without its result, arguments and template arguments:
  /// `Feed::decode` for `void Feed::decode<int>(int, char const*) const`.
  package static func shortened(_ name: String) -> String {
    var path: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.first {
      if let word = operatorName(at: rest, after: path) {
        path += rest.prefix(word)
        rest = rest.dropFirst(word)
        // What follows the name of an operator are its arguments.
        if rest.first != UInt8(ascii: "<") { break }
        continue
      }
      switch byte {
      case UInt8(ascii: "<"):
        rest = rest.dropFirst(length(ofBrackets: rest))
      case UInt8(ascii: "("), UInt8(ascii: "{"):
        let length = length(ofBrackets: rest)
        let isPart = byte == UInt8(ascii: "{") || rest.starts(with: "(anonymous namespace)".utf8)
        // The arguments: a function inside this one may follow.
        if isPart { path += rest.prefix(length) }
        rest = rest.dropFirst(length)
        if !isPart {
          let qualifiers = rest.prefix { $0 != UInt8(ascii: ":") }
          guard rest.dropFirst(qualifiers.count).starts(with: "::".utf8) else { rest = []; break }
          rest = rest.dropFirst(qualifiers.count)
        }
      case UInt8(ascii: " "):
        // The result is before the name, as far as it is known.
        path.removeAll()
        rest = rest.dropFirst()
      default:
        path.append(byte)
        rest = rest.dropFirst()
      }
    }
    let text = withoutHash(String(decoding: path, as: UTF8.self))
    return text.isEmpty ? name : text
  }

  /// The length of an operator's name, which brackets can be part of, or `nil` if there is none.
  private static func operatorName(at text: ArraySlice<UInt8>, after path: [UInt8]) -> Int? {
    let word = "operator"
    guard text.starts(with: word.utf8),
      path.last.map({ $0 == UInt8(ascii: ":") }) ?? true
    else { return nil }
    let behind = text.dropFirst(word.utf8.count)
    for sign in ["()", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"]
    where behind.starts(with: sign.utf8) {
      return word.utf8.count + sign.utf8.count
    }
    // A conversion: the type is up to the arguments.
    guard behind.first == UInt8(ascii: " ") else { return nil }
    return word.utf8.count + behind.prefix { $0 != UInt8(ascii: "(") }.count
  }

  /// The length of the text up to the bracket that closes the one at the start.
  private static func length(ofBrackets text: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var last: UInt8 = 0
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where last == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      last = byte
    }
    return text.count
  }

  /// The name without the hash at the end of Rust's.
  private static func withoutHash(_ name: String) -> String {
    let hash = name.utf8.suffix(19)
    let isHash =
      hash.count == 19 && hash.starts(with: "::h".utf8)
      && hash.dropFirst(3).allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
    return isHash ? String(decoding: name.utf8.dropLast(19), as: UTF8.self) : name
  }
}
