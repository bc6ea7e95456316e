public import Foundation

/// The files of the package that tests read.
public enum PackageFiles {
  /// The package's folder.
  public static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the file or folder at `path` in the package.
  public static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }

  /// Returns the text of the file at `path` in the package.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: url(path), encoding: .utf8)
  }

  /// Returns the path of a sample trace, such as `feed-smooth.fxt`.
  public static func sample(_ name: String) -> String { url("SampleTraces/" + name).path }
}
