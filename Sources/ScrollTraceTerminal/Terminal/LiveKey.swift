enum LiveKey: Hashable, Sendable {
  case up, down, left, right
  case pageUp, pageDown, home, end
  case space
  case enter
  /// The escape key itself.
  case escape
  /// A visible ASCII character other than the space.
  case character(Character)
  /// Control-C; also a signal that requests the end, and a closed terminal.
  case interrupt
  /// Control-Z.
  case suspend
}

/// Parses keys from a terminal's bytes; unknown sequences and pasted text are skipped.
struct LiveKeyParser {
  private var bytes: [UInt8] = []
  private var isPasting = false

  /// The meaning of the first bytes.
  enum Step: Hashable {
    /// A key encoded in this number of bytes.
    case key(LiveKey, count: Int)
    /// This number of meaningless bytes.
    case nothing(count: Int)
    /// This number of bytes, after which pasted text follows.
    case paste(count: Int)
    /// The start of an incomplete sequence.
    case partial
  }

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd: [UInt8] = [0x1B] + Array("[201~".utf8)
  /// The maximum length of a terminal's sequence.
  private static let longestSequence = 32

  /// Whether there are bytes whose meaning depends on the next ones.
  var isWaiting: Bool { !bytes.isEmpty && !isPasting }

  mutating func append(_ more: some Sequence<UInt8>) {
    bytes += more
  }

  /// Returns the next key, or `nil` if there is no complete one.
  ///
  /// - Parameter isComplete: Whether no more bytes will follow: an escape is then the key, not the
  ///   start of a sequence.
  mutating func next(isComplete: Bool) -> LiveKey? {
    while !bytes.isEmpty {
      if isPasting {
        guard skipPaste() else { return nil }
        continue
      }
      switch Self.step(bytes[...], isComplete: isComplete) {
      case .key(let key, let count):
        bytes.removeFirst(count)
        return key
      case .nothing(let count):
        bytes.removeFirst(count)
      case .paste(let count):
        bytes.removeFirst(count)
        isPasting = true
      case .partial:
        return nil
      }
    }
    return nil
  }

  /// Drops pasted bytes; returns whether their end has been reached. Control-C ends them, so that
  /// it always works.
  private mutating func skipPaste() -> Bool {
    let mark = Self.pasteEnd
    for index in bytes.indices {
      if bytes[index] == 0x03 {
        bytes.removeFirst(index)
        isPasting = false
        return true
      }
      if bytes[index...].starts(with: mark) {
        bytes.removeFirst(index + mark.count)
        isPasting = false
        return true
      }
    }
    bytes = bytes.suffix(mark.count - 1)
    return false
  }

  // MARK: - One step

  /// Returns the meaning of the start of `bytes`, which are not empty.
  static func step(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Step {
    let rest = bytes.dropFirst()
    switch bytes.first {
    case nil: return .partial
    case 0x03: return .key(.interrupt, count: 1)
    case 0x1A: return .key(.suspend, count: 1)
    case 0x0D, 0x0A: return .key(.enter, count: 1)
    case 0x20: return .key(.space, count: 1)
    case let byte? where (0x21...0x7E).contains(byte):
      return .key(.character(Character(Unicode.Scalar(byte))), count: 1)
    case escape: break
    default: return .nothing(count: 1)
    }
    switch rest.first {
    case nil: return isComplete ? .key(.escape, count: 1) : .partial
    case escape: return .key(.escape, count: 1)
    case UInt8(ascii: "["): return sequence(bytes, isComplete: isComplete)
    case UInt8(ascii: "O"):
      guard let final = rest.dropFirst().first else {
        return isComplete ? .nothing(count: 2) : .partial
      }
      guard final >= 0x20 else { return .nothing(count: 2) }
      return key(final: final, number: nil).map { .key($0, count: 3) } ?? .nothing(count: 3)
    case let byte? where byte >= 0x20: return .nothing(count: 2)
    default: return .key(.escape, count: 1)
    }
  }

  /// Returns the step of a control sequence: parameters and a final byte.
  private static func sequence(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Step {
    let parameters = bytes.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
    guard parameters.count <= longestSequence else { return .nothing(count: 2 + parameters.count) }
    guard let final = bytes.dropFirst(2 + parameters.count).first else {
      return isComplete ? .nothing(count: bytes.count) : .partial
    }
    let count = 3 + parameters.count
    // A control character within a sequence ends it and is parsed on its own.
    guard (0x40...0x7E).contains(final) else { return .nothing(count: count - 1) }
    if final == UInt8(ascii: "["), parameters.isEmpty {
      // The function keys of the Linux console.
      guard bytes.count > count || isComplete else { return .partial }
      return .nothing(count: min(bytes.count, count + 1))
    }
    let number = parameters.prefix { $0 != UInt8(ascii: ";") }
    let value = Int(String(decoding: number, as: UTF8.self))
    if final == UInt8(ascii: "~"), value == 200 { return .paste(count: count) }
    return key(final: final, number: value).map { .key($0, count: count) }
      ?? .nothing(count: count)
  }

  private static func key(final: UInt8, number: Int?) -> LiveKey? {
    switch (final, number) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "C"), _): .right
    case (UInt8(ascii: "D"), _): .left
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), 1), (UInt8(ascii: "~"), 7): .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), 4), (UInt8(ascii: "~"), 8): .end
    case (UInt8(ascii: "~"), 5): .pageUp
    case (UInt8(ascii: "~"), 6): .pageDown
    default: nil
    }
  }
}
