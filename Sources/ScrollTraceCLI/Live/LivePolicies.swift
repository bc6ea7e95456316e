import ScrollTraceKit

/// The choices with the keys that change them, in as many lines as they take.
struct LivePolicies {
  /// The lines.
  let lines: [LiveText]

  /// Lines of at most `columns` columns, a choice that is longer aside.
  init(_ policies: [LivePolicy], columns: Int) {
    var lines: [[LiveText]] = []
    var width = 0
    for (index, policy) in policies.enumerated() {
      var text = LiveText("\(index + 1) ", .near)
      text.append(EscapingContext.terminal.escape(policy.name) + " ", .quiet)
      text.append(EscapingContext.terminal.escape(policy.value), .text, isBold: true)
      if width == 0 || width + 2 + text.width > columns {
        lines.append([text])
        width = text.width
      } else {
        lines[lines.count - 1].append(text)
        width += 2 + text.width
      }
    }
    self.lines = lines.map { line in
      line.joined(fitting: columns, ranks: Array(repeating: 0, count: line.count))
    }
  }
}
