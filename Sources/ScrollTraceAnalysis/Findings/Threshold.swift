/// A limit of a rule, with its name and the reason for its value.
struct Threshold<Value: Sendable>: NamedThreshold {
  let name: String
  let value: Value
  let source: String

  init(_ name: String, _ value: Value, source: String) {
    self.name = name
    self.value = value
    self.source = source
  }
}

protocol NamedThreshold: Sendable {
  /// The name, unique among all rules.
  var name: String { get }
  /// The reason for the value.
  var source: String { get }
}
