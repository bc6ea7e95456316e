import Foundation
package import Testing

/// A value of a JSON document; what is not there is a node without a value.
package struct JSONNode {
  package let value: Any?

  package init(value: Any?) {
    self.value = value
  }

  /// Reads a document.
  package init(_ text: some StringProtocol) throws {
    value = try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  package subscript(key: String) -> JSONNode { JSONNode(value: (value as? [String: Any])?[key]) }

  package subscript(index: Int) -> JSONNode {
    let array = value as? [Any] ?? []
    return JSONNode(value: index < array.count ? array[index] : nil)
  }

  package var integer: Int? { (value as? NSNumber).map(\.intValue) }
  package var number: Double? { (value as? NSNumber).map(\.doubleValue) }
  package var string: String? { value as? String }
  package var flag: Bool? { value as? Bool }
  package var count: Int? { (value as? [Any])?.count }
  package var array: [JSONNode] { (value as? [Any] ?? []).map { JSONNode(value: $0) } }

  /// Whether the key is there and `null`.
  package var isNull: Bool { value is NSNull }

  /// Expects numbers, texts, truth values and null at paths such as `hitches.0.kind` and `hitches.count`.
  package func expect(
    _ values: KeyValuePairs<String, Any?>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (path, expected) in values {
      let node = path.split(separator: ".").reduce(self) { node, key in
        if key == "count", let count = node.count { return JSONNode(value: count) }
        return Int(key).map { node[$0] } ?? node[String(key)]
      }
      let isEqual =
        switch expected {
        case nil: node.isNull
        case let expected as Bool: node.flag == expected
        case let expected as Int: node.integer == expected
        case let expected as Double: node.number == expected
        case let expected as String: node.string == expected
        case let expected as Near: node.number.map(expected.isNear) ?? false
        default: false
        }
      #expect(
        isEqual, "\(path) is \(node.value ?? "not there"), not \(expected ?? "null")",
        sourceLocation: sourceLocation)
    }
  }
}

/// A number that a value may differ a little from.
package struct Near {
  private let number: Double
  private let tolerance: Double

  package init(_ number: Double, _ tolerance: Double) {
    (self.number, self.tolerance) = (number, tolerance)
  }

  fileprivate func isNear(_ value: Double) -> Bool { abs(value - number) < tolerance }
}
