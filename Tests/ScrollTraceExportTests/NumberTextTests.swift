import ScrollTraceExport
import Testing

/// The text of numbers in lines, events and tables.
@Suite struct NumberTextTests {
  private func text(_ body: (inout ExportOutput) -> Void) -> String {
    String(decoding: written(by: body), as: UTF8.self)
  }

  @Test func `integers of every length have their digits`() {
    var numbers: [Int64] = [.min, .max, 0]
    var power: Int64 = 1
    while power < Int64.max / 10 {
      numbers += [power - 1, power, power + 1, -power, power * 7 + power / 3]
      power *= 10
    }
    var random = SystemRandomNumberGenerator()
    for bits in 1..<63 {
      for _ in 0..<50 { numbers.append(Int64.random(in: 0..<(1 << bits), using: &random)) }
    }
    for number in numbers {
      let written = text { $0.append(decimal: number) }
      #expect(written == "\(number)")
    }
    let largest = text { $0.append(decimal: UInt64.max) }
    #expect(largest == "\(UInt64.max)")
  }

  @Test func `real numbers are written as Swift describes them`() {
    var numbers: [Double] = [
      0, -0.0, 1, -1, 0.5, 0.1, 0.001, 0.000_999, 1e-5, 123_456.789, 1e15, 1e16, 0x1p53, 0x1p54,
      999_999_999_999_999, 99_999_999_999.999_9, 0.1 + 0.2, .pi, -.pi, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 0.30000000000000004, 2.5e-3, 4_503_599_627_370_497.5,
    ]
    for _ in 0..<20_000 {
      let whole = Double(Int64.random(in: -1_000_000_000...1_000_000_000))
      numbers += [whole, whole / 10, whole / 1e3, whole / 1e6, whole / 1e7, whole / 3]
      numbers.append(Double(bitPattern: UInt64.random(in: 0...UInt64.max)))
    }
    for number in numbers where number.isFinite {
      let written = text { $0.append(number) }
      #expect(written == "\(number)")
    }
  }

  @Test func `a text that is longer than the buffer is written whole and in order`() {
    let pieces = (0..<50_000).map { "piece \($0) " }
    let long = String(repeating: "0123456789", count: 30_000)
    let written = text { output in
      for piece in pieces.prefix(20_000) { output.append(text: piece) }
      output.append(text: long)
      for piece in pieces.dropFirst(20_000) { output.append(text: piece) }
    }
    let expected = pieces.prefix(20_000).joined() + long + pieces.dropFirst(20_000).joined()
    #expect(written == expected)
  }
}
