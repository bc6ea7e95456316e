import CImportShims
import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

/// Where the tokens are, by the machine's widest instructions, by the plainest, and byte by byte.
@Suite struct JSONTokensTests {
  private typealias Find =
    (UnsafeRawPointer?, UInt32, UInt32, scrolltrace_json_tokens) -> scrolltrace_json_tokens

  private func places(in bytes: [UInt8], by find: Find) -> [[UInt32]] {
    // The last block may be read and written past its end.
    let padded = bytes + [UInt8](repeating: UInt8(ascii: " "), count: 64)
    let room = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * (bytes.count + 128))
    defer { room.deallocate() }
    let specials = room + bytes.count + 128
    let found = padded.withUnsafeBytes { bytes in
      find(
        bytes.baseAddress, 0, UInt32(bytes.count - 64),
        scrolltrace_json_tokens(tokens: room, specials: specials))
    }
    let lists = [
      UnsafeBufferPointer(start: room, count: found.tokens - room),
      UnsafeBufferPointer(start: specials, count: found.specials - specials),
    ]
    return lists.map { $0.filter { $0 < bytes.count } }
  }

  /// The same by the definition, one byte after the other.
  private func expectedPlaces(in bytes: [UInt8]) -> [[UInt32]] {
    var (tokens, specials): ([UInt32], [UInt32]) = ([], [])
    var (isInside, isEscaped, isScalar, hasClosed) = (false, false, false, false)
    for (place, byte) in bytes.enumerated() {
      let wasEscaped = isEscaped
      let (wasScalar, hadClosed) = (isScalar, hasClosed)
      (isEscaped, isScalar, hasClosed) = (false, false, false)
      if byte == UInt8(ascii: "\\") { isEscaped = !wasEscaped }
      if isInside, byte < 0x20 || byte > 0x7F || byte == UInt8(ascii: "\\") {
        specials.append(UInt32(place))
      }
      if byte == UInt8(ascii: "\""), !wasEscaped {
        if !isInside { tokens.append(UInt32(place)) }
        hasClosed = isInside
        isInside.toggle()
      } else if !isInside {
        switch byte {
        case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: break
        case UInt8(ascii: ":"): if !hadClosed { tokens.append(UInt32(place)) }
        case _ where "{}[],".utf8.contains(byte): tokens.append(UInt32(place))
        default:
          isScalar = true
          if !wasScalar { tokens.append(UInt32(place)) }
        }
      }
    }
    return [tokens, specials]
  }

  @Test func `every scanning path finds the same tokens`() async {
    await forEachCase(of: 0..<200, oneCase)
    @Sendable func oneCase(seed: Int) throws {
      var generator = SeededGenerator(seed: UInt64(seed))
      let alphabets: [[UInt8]] = [
        Array(#"{}[]:,""\\ 1a-"#.utf8), Array(#"\"a"#.utf8), Array(0...255),
        Array(#""":,aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"#.utf8), Array("\t\n\r \u{B}\u{0}1:[".utf8),
      ]
      let alphabet = alphabets[seed % alphabets.count]
      let bytes = (0..<Int.random(in: 1...700, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      let expected = expectedPlaces(in: bytes)
      #expect(places(in: bytes, by: scrolltrace_find_json_tokens) == expected)
      #expect(places(in: bytes, by: scrolltrace_find_json_tokens_plainly) == expected)
    }
  }
}
