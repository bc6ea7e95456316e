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
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let first = parts.first, let value = Self.number(first) else { return nil }
    self.value = value
    let unit = parts.count > 1 ? String(parts[1]) : ""
    self.unit = unit == "ms per s" ? "ms/s" : unit
  }

  /// A number that may be written as some other language does.
  ///
  /// A comma before exactly three last digits divides thousands, any other one is a decimal sign.
  private static func number(_ text: Substring) -> Double? {
    var text = String(text)
    if let comma = text.lastIndex(of: ",") {
      let dividesThousands =
        text.contains(".") || text[text.index(after: comma)...].count == 3
        || text.firstIndex(of: ",") != comma
      text = text.replacing(",", with: dividesThousands ? "" : ".")
    }
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || "-.eE+".utf8.contains($0) }) else {
      return nil
    }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
