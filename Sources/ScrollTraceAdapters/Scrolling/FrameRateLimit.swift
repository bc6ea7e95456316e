/// The rate at which iOS calls the links of a phone's app at most, unless the app asks for more.
enum FrameRateLimit {
  private static let usual = 60

  /// Returns the limit below what the screen can show, or `nil` if there is none.
  ///
  /// - Parameter isUnlocked: The value of `CADisableMinimumFrameDurationOnPhone`, or `nil` if it is missing.
  static func limit(ofScreen maximum: Int, isPhone: Bool, isUnlocked: Bool?) -> Int? {
    isPhone && maximum > usual && isUnlocked != true ? usual : nil
  }
}
