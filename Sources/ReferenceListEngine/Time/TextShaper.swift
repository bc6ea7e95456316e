/// Breaks a paragraph into lines of a width, as a label does.
enum TextShaper {
  private static let paragraph = Array(
    """
    The feed of the day: a harbour at dawn, three letters from the north, and — täglich neu — what \
    the neighbours said of the bridge. Read more about it below; 東京 and Αθήνα answered as well.
    """.unicodeScalars)

  /// Breaks the paragraph at `width` and gives how many lines there are and how wide the widest is.
  static func shape(width: Int) -> (lines: Int, widest: Int) {
    var (lines, widest, line, word) = (1, 0, 0, 0)
    for scalar in paragraph {
      let advance = advance(of: scalar)
      if scalar == " " {
        line += word + advance
        word = 0
      } else {
        word += advance
        if line + word > width, line > 0 {
          widest = max(widest, line)
          lines += 1
          line = 0
        }
      }
    }
    return (lines, max(widest, line + word))
  }

  /// How far a letter goes, in hundredths of its height.
  private static func advance(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20, 0x2C, 0x2E, 0x3A, 0x3B, 0x69, 0x6A, 0x6C, 0x74: 28
    case 0x6D, 0x77, 0x4D, 0x57: 83
    case 0x2E80...0x9FFF: 100
    case 0x300...0x36F: 0
    default: 55
    }
  }
}
