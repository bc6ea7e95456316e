/// The stable identifier of a rule and its findings.
///
/// Each rule declares its own in its file.
package struct FindingID: Hashable, Sendable {
  /// The identifier as JSON has it.
  package let rawValue: String

  init(_ rawValue: String) { self.rawValue = rawValue }
}
