/// What a piece of text means, which decides its colour. Words and places always say it too.
package enum TextRole: Sendable {
  case plain
  case strong
  case faint
  case good
  case near
  case late

  /// The parameters of the escape sequence; `nil` where nothing is to be written.
  package func parameters(in palette: Palette) -> String? {
    switch (palette, self) {
    case (.none, _), (_, .plain): nil
    case (_, .strong): "1"
    case (_, .faint): "2"
    case (.sixteen, .good): "34"
    case (.sixteen, .near): "33"
    case (.sixteen, .late): "91"
    case (.full, .good): "38;5;74"
    case (.full, .near): "38;5;214"
    case (.full, .late): "38;5;166"
    }
  }
}
