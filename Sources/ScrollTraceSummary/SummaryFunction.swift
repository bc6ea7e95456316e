/// A function of a cause that is known only by its address in its module: `libFeed.so+0x1f40 build:8c1d20`.
package struct SummaryFunction: Hashable, Sendable {
  private static let addressPrefix = "+0x"
  private static let buildPrefix = " build:"

  /// The file name of the module.
  package let module: String
  package let address: UInt64
  /// The build ID of the module in hexadecimal digits, or `nil` if unknown.
  package var build: String?

  /// Creates a function of an unknown build.
  package init(module: String, address: UInt64) {
    (self.module, self.address) = (module, address)
  }

  /// Creates the function that `text` describes, or returns `nil` if that is a name.
  package init?(_ text: String) {
    guard let plus = text.lastIndex(of: "+"), text[plus...].hasPrefix(Self.addressPrefix) else {
      return nil
    }
    let digits = text[plus...].dropFirst(Self.addressPrefix.count)
    let end = digits.firstIndex(of: " ") ?? digits.endIndex
    guard let address = UInt64(digits[..<end], radix: 16) else { return nil }
    (module, self.address) = (String(text[..<plus]), address)
    guard end < digits.endIndex else { return }
    let rest = digits[end...]
    guard rest.hasPrefix(Self.buildPrefix) else { return nil }
    build = String(rest.dropFirst(Self.buildPrefix.count))
  }

  package var text: String {
    let address = module + Self.addressPrefix + String(address, radix: 16)
    return build.map { address + Self.buildPrefix + $0 } ?? address
  }
}

extension TraceSummary {
  /// Returns the sums with the functions named that were known only by their addresses, so that causes of
  /// several builds become one.
  ///
  /// - Parameter name: Returns the name of a function, or `nil` if it is unknown.
  package func namingFunctions(_ name: (SummaryFunction) -> String?) -> TraceSummary {
    var sum = self
    for (key, row) in rows {
      var named = row
      named.causes = [:]
      for (cause, sums) in row.causes {
        var cause = cause
        cause.function = cause.function.map { SummaryFunction($0).flatMap(name) ?? $0 }
        named.causes.add(sums, for: cause) { $0.add($1) }
      }
      sum.rows[key] = named
    }
    return sum
  }
}
