/// How a cell of the screen is written.
struct LiveStyle: Hashable, Sendable {
  /// The colour of the text; the terminal's own where there is none.
  var foreground: LiveColor?
  /// The colour behind the text; the terminal's own where there is none.
  var background: LiveColor?
  /// Whether the text is bold.
  var isBold = false

  /// The escape sequence that makes `previous` this; what stays the same is not said again.
  func sequence(after previous: LiveStyle, _ level: ColorLevel) -> String {
    // Taking something away takes all away, as far as all terminals agree.
    let isLess =
      (previous.isBold && !isBold) || (previous.foreground != nil && foreground == nil)
      || (previous.background != nil && background == nil)
    let before = isLess ? LiveStyle() : previous
    var parameters = isLess ? "0" : ""
    func add(_ parameter: String) {
      parameters += parameters.isEmpty ? parameter : ";" + parameter
    }
    if isBold, !before.isBold { add("1") }
    if let foreground, foreground != before.foreground {
      add(foreground.parameter(level, isBackground: false))
    }
    if let background, background != before.background {
      add(background.parameter(level, isBackground: true))
    }
    return "\u{1B}[\(parameters)m"
  }
}
