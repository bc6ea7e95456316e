/// A metric with its value for each iteration of a test.
struct XCTestMetric {
  /// What it is, in one word: `hitchTimeRatio`.
  let word: String
  /// Of which signpost or process it is told; empty where of none.
  let subject: String
  let unit: String
  let values: [Double]
  /// The average it is compared with; `nil` where there is none.
  let baseline: Double?
  /// How many values are no numbers.
  let invalidCount: UInt64

  /// The metric that `view` is, called `identifier` by what it stands in; `nil` where it is none.
  init?(_ view: JSONView, identifier: String = "") {
    var (display, unit, identifier) = ("", "", identifier)
    var values: [Double]?
    var baseline: Double?
    var invalidCount: UInt64 = 0
    view.forEachMember { name, value in
      if name.hasBytes(of: "displayName") || name.hasBytes(of: "name") {
        display = value.text ?? display
      } else if name.hasBytes(of: "unitOfMeasurement") || name.hasBytes(of: "unit") {
        unit = value.text ?? unit
      } else if name.hasBytes(of: "identifier") {
        identifier = value.text ?? identifier
      } else if name.hasBytes(of: "baselineAverage") {
        baseline = value.double
      } else if name.hasBytes(of: "measurements") || name.hasBytes(of: "values"),
        value.kind == .array
      {
        var numbers: [Double] = []
        value.forEachElement { element in
          if let number = element.double { numbers.append(number) } else { invalidCount += 1 }
        }
        values = numbers
      }
      return true
    }
    guard let values, !values.isEmpty || invalidCount > 0 else { return nil }
    self.values = values
    self.unit = unit == "ms per s" ? "ms/s" : String(unit.prefix(16))
    self.baseline = baseline
    self.invalidCount = invalidCount
    (word, subject) = Self.name(display: display, identifier: identifier)
  }

  /// The word and the subject of a name such as `Hitch Time Ratio (Scroll_Deceleration)`.
  private static func name(display: String, identifier: String) -> (String, String) {
    let display = display.isEmpty ? Self.display(of: identifier) : String(display.prefix(256))
    let parts = display.split(separator: "(", maxSplits: 1)
    let words = (parts.first ?? "").split { !($0.isLetter || $0.isNumber) }
    let word = words.enumerated().map { index, word in
      index == 0 ? word.lowercased() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    let subject = parts.count > 1 ? parts[1].prefix { $0 != ")" } : ""
    return (word.isEmpty ? "metric" : word, String(subject))
  }

  /// The name that Xcode shows for an identifier, for those that tell of hitches.
  private static func display(of identifier: String) -> String {
    let identifier = identifier.prefix(256)
    let ends = [
      ("time.ratio", "Hitch Time Ratio"), ("total.duration", "Hitches Total Duration"),
      ("hitch.number", "Number of Hitches"), (".number", "Number of Hitches"),
      ("frame.rate", "Frame Rate"), ("frame.count", "Frame Count"), (".duration", "Duration"),
    ]
    let subject = identifier.split(separator: "-", maxSplits: 1).last?.prefix { $0 != "." } ?? ""
    for (end, name) in ends where identifier.hasSuffix(end) { return "\(name) (\(subject))" }
    return String(identifier.split(separator: ".").last ?? "")
  }
}
