import Foundation

/// The hash that a page's policy names what it allows by; small and slow, for tests.
enum SHA256 {
  /// `sha256-` and the hash of `text` in Base64, as a policy spells it.
  static func policyHash(of text: String) -> String {
    let bytes = hash([UInt8](text.utf8)).flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
    return "sha256-" + Data(bytes).base64EncodedString()
  }

  /// The first 32 bits of the fractional parts of a root of the first primes.
  private static func constants(_ count: Int, root: Double) -> [UInt32] {
    let primes = (2...400).filter { number in
      !(2..<number).contains { number % $0 == 0 }
    }
    return primes.prefix(count).map { prime in
      let value = pow(Double(prime), 1 / root)
      return UInt32((value - value.rounded(.down)) * 4_294_967_296)
    }
  }

  private static func hash(_ message: [UInt8]) -> [UInt32] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    let round = constants(64, root: 3)
    var state = constants(8, root: 2)
    func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
      (word >> count) | (word << (32 - count))
    }
    for block in stride(from: 0, to: bytes.count, by: 64) {
      var words = (0..<16).map { index in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[block + index * 4 + $1]) }
      }
      for index in 16..<64 {
        let (a, b) = (words[index - 15], words[index - 2])
        let first = turned(a, 7) ^ turned(a, 18) ^ (a >> 3)
        let second = turned(b, 17) ^ turned(b, 19) ^ (b >> 10)
        words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
      }
      var v = state
      for index in 0..<64 {
        let sum = turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)
        let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
        let first = v[7] &+ sum &+ choice &+ round[index] &+ words[index]
        let other = turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)
        let second = other &+ ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]))
        v = [first &+ second, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
      }
      for index in 0..<8 { state[index] &+= v[index] }
    }
    return state
  }
}
