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
}
