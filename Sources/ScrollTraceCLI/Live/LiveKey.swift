/// A key as the live view knows it.
enum LiveKey: Hashable, Sendable {
  /// The arrows.
  case up, down, left, right
  /// Larger steps.
  case pageUp, pageDown, home, end
  /// The space bar.
  case space
  /// Return or enter.
  case enter
  /// The escape key itself.
  case escape
  /// A visible ASCII character other than the space.
  case character(Character)
  /// Control-C; also that a signal asks for the end, and that the terminal has gone.
  case interrupt
  /// Control-Z.
  case suspend
}
