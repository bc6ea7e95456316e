import ScrollTraceSummary
import Testing

/// Compared with the standard library's integer of the same width.
@Suite struct WideIntegerTests {
  private static let numbers: [Int64] = [
    0, 1, -1, 2, 9, 10, -10, 999, 1_000_000_007, -4_294_967_296, .max, .min, .max - 1, .min + 1,
  ]

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `sums, differences, products and order are those of Int128`() {
    for left in Self.numbers {
      for right in Self.numbers {
        let (wideLeft, wideRight) = (WideInteger(left), WideInteger(right))
        let (oldLeft, oldRight) = (Int128(left), Int128(right))
        #expect((wideLeft + wideRight).description == (oldLeft + oldRight).description)
        #expect((wideLeft - wideRight).description == (oldLeft - oldRight).description)
        #expect((wideLeft * wideRight).description == (oldLeft * oldRight).description)
        #expect((wideLeft < wideRight) == (left < right))
        #expect((wideLeft * wideRight < wideLeft) == (oldLeft * oldRight < oldLeft))
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `quotients are those of Int128, and none is a trap`() {
    for left in Self.numbers {
      for factor in Self.numbers {
        for divisor in Self.numbers where divisor != 0 {
          let quotient = WideInteger(left) * WideInteger(factor) / divisor
          let expected = Int128(left) * Int128(factor) / Int128(divisor)
          #expect(quotient.description == expected.description)
        }
      }
    }
    #expect(WideInteger(7) / 0 == 0)
  }

  @Test func `conversions keep the value or say that they cannot`() {
    let product = WideInteger(Int64.max) * 4
    #expect(Int64(exactly: product) == nil && Int64(clamping: product) == .max)
    #expect(Int64(clamping: 0 - product) == .min && Int(clamping: WideInteger(-3)) == -3)
    #expect(Double(product) == Double(Int64.max) * 4 && Double(WideInteger(-3)) == -3)
    #expect(product.magnitude == product && (0 - product).magnitude == product)
    #expect(WideInteger(UInt64.max).description == "18446744073709551615")
  }
}
