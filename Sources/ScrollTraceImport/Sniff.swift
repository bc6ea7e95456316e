/// An importer's answer to whether the start of a file is of its format.
package enum Sniff: Sendable {
  /// The bytes are of this format; what is wrong with them from here on is damage.
  case yes
  /// The bytes are not of this format.
  case no
  /// The bytes so far fit, and do not decide.
  case needMoreBytes
}
