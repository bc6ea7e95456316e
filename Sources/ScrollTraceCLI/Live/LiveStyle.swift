/// How a cell of the screen is written.
struct LiveStyle: Hashable, Sendable {
  /// The colour of the text; the terminal's own where there is none.
  var foreground: LiveColor?
  /// The colour behind the text; the terminal's own where there is none.
  var background: LiveColor?
  /// Whether the text is bold.
  var isBold = false

  /// The escape sequence that makes it so, whatever was before.
  func sequence(_ level: ColorLevel) -> String {
    var parameters = "0"
    if isBold { parameters += ";1" }
    if let foreground { parameters += ";" + foreground.parameter(level, isBackground: false) }
    if let background {
      parameters += ";" + background.parameter(level, isBackground: true)
    }
    return "\u{1B}[\(parameters)m"
  }
}
