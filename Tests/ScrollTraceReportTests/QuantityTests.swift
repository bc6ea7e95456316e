import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@testable import ScrollTraceReport

@Suite struct QuantityTests {
  @Test func `durations keep their significant digits`() {
    let texts = [0, 1, -1, 1_500, 99_999, 4_168_000, 16_666_667, 999_949_999, 10_266_666_872]
      .map { Quantity.length(TimeSpan(nanoseconds: $0)) }
    #expect(
      texts == [
        "0 ms", "< 0.001 ms", "> -0.001 ms", "0.002 ms", "0.100 ms", "4.17 ms", "16.7 ms",
        "999.9 ms", "10.27 s",
      ])
    #expect(Quantity.length(TimeSpan(nanoseconds: -8_090_347)) == "-8.09 ms")
    #expect(Quantity.length(TimeSpan(nanoseconds: .min)) == "-9223372036.85 s")
  }

  @Test func `a ratio is never rounded to the other side of a limit`() throws {
    let just = try #require(
      HitchTimeRatio(
        hitchTime: TimeSpan(nanoseconds: 4_999_999), duration: TimeSpan(nanoseconds: 1_000_000_000))
    )
    #expect(Quantity.ratio(just, in: .scroll) == "4.999999 ms/s")
    let tiny = try #require(
      HitchTimeRatio(
        hitchTime: TimeSpan(nanoseconds: 1_000), duration: TimeSpan(nanoseconds: 1_000_000_000)))
    #expect(Quantity.ratio(tiny, in: .scroll) == "0.001 ms/s")
    let huge = try #require(
      HitchTimeRatio(hitchTime: TimeSpan(nanoseconds: .max), duration: TimeSpan(nanoseconds: 1)))
    #expect(Quantity.ratio(huge, in: .scroll).hasSuffix("e+21 ms/s"))
  }

  @Test func `one of a kind is singular`() {
    #expect([0, 1, 999].map { Quantity.bytes($0) } == ["0 bytes", "1 byte", "999 bytes"])
    let messages = Messages(start: .zero)
    func text(_ notice: Notice) -> String { messages.text(of: .trace(notice)) }
    #expect(
      text(.repeatedFrameNumbers(surface: "a", count: 1)).hasPrefix(
        "1 frame number of 'a' is repeated"))
    #expect(
      text(.presentedBeforeStart(surface: "a", count: 1))
        == "1 frame of 'a' presented before its start; this time counts as unknown")
    #expect(
      text(.overlappingThreadStates(track: "a", count: 1)).hasPrefix(
        "1 scheduling record of 'a' overlaps earlier ones"))
  }

  @Test func `shares never round to nothing or to everything`() {
    #expect(Quantity.share(0) == "0.0%")
    #expect(Quantity.share(0.000_01) == "< 0.1%")
    #expect(Quantity.share(0.999_99) == "> 99.9%")
    #expect(Quantity.share(1) == "100.0%")
  }

  @Test func `rates are computed from the refresh interval`() {
    #expect(Quantity.rate(TimeSpan(nanoseconds: 16_666_667)) == "60 Hz")
    #expect(Quantity.rate(TimeSpan(nanoseconds: 16_683_333)) == "59.9 Hz")
    #expect(Quantity.rate(TimeSpan(nanoseconds: 8_333_333)) == "120 Hz")
  }

  @Test func `truncated text is marked and fits`() {
    #expect(ColumnWidth.clip("decodeImage", to: 8, ellipsis: "…") == "decodeI…")
    #expect(ColumnWidth.clip("日本語の名前", to: 8, ellipsis: "…") == "日本語…")
    #expect(ColumnWidth.of("日本 é🚀") == 8)
  }
}
