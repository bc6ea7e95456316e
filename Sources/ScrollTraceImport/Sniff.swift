/// An importer's answer to whether the start of a file has its format.
package enum Sniff: Sendable {
  /// The bytes have this format; errors from here on are damage.
  case yes
  /// The bytes do not have this format.
  case no
  /// The bytes so far match but do not decide.
  case needMoreBytes
}
