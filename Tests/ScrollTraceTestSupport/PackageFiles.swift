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

  /// Returns the blocks of code in `language` of the page at `path` in the package.
  package static func blocks(of language: String, in path: String) throws -> [String] {
    try text(path).components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  /// The names of the sample traces that the package's recorder made, sorted.
  package static let recordings: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: url("SampleTraces").path)) ?? [])
    .filter { $0.hasSuffix(".fxt") }.sorted()

  private struct NotBuilt: Error {
    var name: String
    var places: [String]
  }

  /// Returns the folder beside the tests into which `name` was built.
  package static func buildFolder(of name: String) throws -> String {
    var files = [CommandLine.arguments[0], Bundle.main.bundlePath]
    files += Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
    let places = files.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    let place = places.first { FileManager.default.fileExists(atPath: $0 + "/" + name) }
    guard let place else { throw NotBuilt(name: name, places: places) }
    return place
  }

  /// Returns the bytes of a sample trace, such as `feed-smooth.fxt`.
  package static func bytes(of sample: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url("SampleTraces/" + sample)))
  }

  /// The names of the JSON reports among the golden files, sorted; those of other tools have a second
  /// extension.
  package static let jsonReports: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: url("SampleTraces/Reports").path)) ?? [])
    .filter { $0.hasSuffix(".json") && $0.split(separator: ".").count == 2 }.sorted()

  /// Returns the path of a sample trace, such as `feed-smooth.fxt`.
  public static func sample(_ name: String) -> String { url("SampleTraces/" + name).path }
}
