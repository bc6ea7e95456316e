/// Properties of a trace that the recording does not measure: the build, the device, the system.
package struct SummaryAttributes: Hashable, Comparable, Sendable {
  package static let maximumPairs = 16
  /// The maximum length of a name and of a value, in bytes.
  package static let maximumBytes = 64

  /// The attributes, sorted by name.
  package private(set) var pairs: [SummaryAttribute] = []

  package init() {}

  /// The value of the attribute with that name, or `nil` if there is none.
  package subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Sets an attribute; returns whether there was room for it.
  package mutating func set(_ name: String, to value: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= Self.maximumBytes, value.utf8.count <= Self.maximumBytes
    else { return false }
    let pair = SummaryAttribute(name: name, value: value)
    if let index = pairs.firstIndex(where: { $0.name == name }) {
      pairs[index] = pair
      return true
    }
    guard pairs.count < Self.maximumPairs else { return false }
    pairs.insert(pair, at: pairs.firstIndex { pair < $0 } ?? pairs.count)
    return true
  }

  /// Removes the attributes with other names than `names`.
  package mutating func keep(_ names: Set<String>) {
    pairs.removeAll { !names.contains($0.name) }
  }

  /// Returns whether the attributes of `left` come first, in the order of bytes.
  package static func < (left: SummaryAttributes, right: SummaryAttributes) -> Bool {
    left.pairs.lexicographicallyPrecedes(right.pairs)
  }
}

package struct SummaryAttribute: Hashable, Comparable, Sendable {
  package let name: String
  package let value: String

  /// Returns whether `left` comes first, by name, then value, in the order of bytes.
  package static func < (left: SummaryAttribute, right: SummaryAttribute) -> Bool {
    left.name == right.name
      ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
      : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}
