import Testing

@testable import ScrollTraceImport

@Suite struct JSONViewTests {
  /// What `member` finds behind a string of `text`, with `tail` behind the object.
  private func member(behind text: String, tail: String) -> Int64? {
    let bytes = Array(("{\"a\":\"\(text)\",\"b\":7}" + tail).utf8)
    return bytes.withUnsafeBytes { JSONView(bytes: $0).member("b")?.integer }
  }

  @Test func `a string of any length ends at its quote, wherever escapes are`() {
    for count in 0..<28 {
      let plain = String(repeating: "x", count: count)
      for tail in ["", "}", ",\"b\":8,\"c\":\"\"}        "] {
        #expect(member(behind: plain, tail: tail) == 7)
        for escape in ["\\\"", "\\\\", "\\n", "é", "\\\\\\\""] {
          for place in 0...count {
            let text = plain.prefix(place) + escape + plain.dropFirst(place)
            #expect(member(behind: String(text), tail: tail) == 7, "\(text)")
          }
        }
      }
    }
  }

  @Test func `a string without its end has no value and does no harm`() {
    for count in 0..<20 {
      for end in ["", "\\", "\\\"", "\\\\\\"] {
        let bytes = Array(("{\"a\":\"" + String(repeating: "x", count: count) + end).utf8)
        bytes.withUnsafeBytes { #expect(JSONView(bytes: $0).member("b") == nil) }
      }
    }
  }

  @Test func `an array of numbers of any length ends at its bracket, whatever it contains`() {
    let numbers = String(repeating: "12,-3,4.5e6, ", count: 15)
    for count in 0...numbers.utf8.count {
      let text = numbers.utf8.prefix(count)
      for other in ["", "1,[2,[3]],4", "1,{\"b\":8,\"c\":[9]},4", "1,\"]},\\\"]\",4", "]", "["] {
        let bytes = Array("{\"a\":[".utf8) + text + Array("\(other)],\"b\":7}".utf8)
        let found = bytes.withUnsafeBytes { JSONView(bytes: $0).member("b")?.integer }
        // One bracket too many or too few ends the array somewhere else.
        #expect(found == (other == "]" || other == "[" ? nil : 7), "\(count) \(other)")
      }
    }
  }
}
