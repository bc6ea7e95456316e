/// A number with its unit, as MetricKit writes it: `50 ms per s`.
struct MetricKitQuantity {
  let value: Double
  let unit: String

  /// The quantity that `view` is, a text or a number; `nil` where it is none.
  init?(_ view: JSONView) {
    if let value = view.double {
      self.value = value
      unit = ""
      return
    }
    guard let text = view.text, text.utf8.count <= 100 else { return nil }
    // Some languages divide thousands by spaces that do not break.
    let parts = text.split { " \u{A0}\u{202F}".contains($0) }
    let digits = parts.prefix { $0.first.map { "-+.,0123456789".contains($0) } ?? false }
    guard let value = Self.number(digits.joined()) else { return nil }
    self.value = value
    let unit = parts.dropFirst(digits.count).joined(separator: " ")
    self.unit = unit == "ms per s" ? "ms/s" : unit
  }

  /// A number that may be written as some other language does.
  ///
  /// Of points and commas the last is the decimal sign. Where there are only commas, one before exactly
  /// three last digits divides thousands, unless nothing but a zero stands before it.
  private static func number(_ text: String) -> Double? {
    var text = text
    if let comma = text.lastIndex(of: ",") {
      let isLast = text.lastIndex(of: ".").map { $0 < comma } ?? true
      let dividesThousands =
        !text.contains(".")
        && (text.firstIndex(of: ",") != comma
          || (text[text.index(after: comma)...].count == 3
            && !["0", "-0", ""].contains(text[..<comma])))
      if isLast, !dividesThousands {
        text = text.replacing(".", with: "").replacing(",", with: ".")
      } else {
        text = text.replacing(",", with: "")
      }
    }
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || "-.eE+".utf8.contains($0) }) else {
      return nil
    }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
