/// A day and a time of it, as `2024-5-1 10:30:00.123456789`.
enum PresentMonDate {
  /// Nanoseconds since the begin of 1970, without a thought of time zones; `nil` for other texts.
  static func nanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    let parts = text.split { [0x20, 0x2D, 0x3A, UInt8(ascii: "T")].contains($0) }
    guard parts.count == 6 else { return nil }
    var numbers: [Int64] = []
    for part in parts.prefix(5) {
      guard part.count <= 4, let number = Int64(String(decoding: part, as: UTF8.self)),
        number >= 0
      else { return nil }
      numbers.append(number)
    }
    guard 1...12 ~= numbers[1], 1...31 ~= numbers[2], numbers[3] < 24, numbers[4] < 60,
      let second = JSONNumber.scaled(UnsafeRawBufferPointer(rebasing: parts[5]), timesTenTo: 9),
      0...60_999_999_999 ~= second
    else { return nil }
    let minutes = (days(numbers[0], numbers[1], numbers[2]) * 24 + numbers[3]) * 60 + numbers[4]
    let (whole, overflow) = minutes.multipliedReportingOverflow(by: 60_000_000_000)
    let (sum, isTooMuch) = whole.addingReportingOverflow(second)
    return overflow || isTooMuch ? nil : sum
  }

  /// The days from 1970 to a day of the Gregorian calendar; years begin in March, so that a leap day
  /// is the last of its year.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let leapDays = year / 4 - year / 100 + year / 400
    return year * 365 + leapDays + (monthFromMarch * 153 + 2) / 5 + day - 1 - 719_468
  }
}
