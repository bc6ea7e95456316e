public import ScrollTraceKit

extension Budget {
  /// At most 10 ms of hitch time in each second of scrolling; from 5 on there is a warning (M-6).
  public static let scroll = Budget(preset: .scroll)

  /// At most 25 ms in each second of all animations, as Xcode's Organizer has it; from 10 on there is a
  /// warning (M-6).
  public static let organizer = Budget(preset: .organizer)

  /// Limits of the leading surface.
  public init(limits: [Limit]) {
    self.init(rules: [Rule(limits: limits)])
  }
}
