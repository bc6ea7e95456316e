/// Who made the report; the one place that knows the version.
public enum Tool {
  /// The name of the command.
  public static let name = "scrolltrace"
  /// The version of the package.
  public static let version = "0.1.0"
}
