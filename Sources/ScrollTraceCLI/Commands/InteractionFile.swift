import ScrollTraceKit

/// A file of interactions, a line `NAME=FROM..TO` each.
enum InteractionFile {
  /// The stretches in the file at `path`; empty lines and what follows `#` do not count.
  static func read(
    _ path: String
  ) throws(ArgumentFailure) -> [AnalysisOptions.NamedRange] {
    var stretches: [AnalysisOptions.NamedRange] = []
    let text = try contents(of: path)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let bare = line.prefix { $0 != "#" }
      let trimmed = String(
        bare.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      guard !trimmed.isEmpty else { continue }
      guard let stretch = AnalysisOptions.NamedRange(argument: trimmed) else {
        throw .unreadable(
          path: path,
          problem: "line \(index + 1) is no interaction; write NAME=FROM..TO, such as"
            + " fling=1.2s..3s")
      }
      stretches.append(stretch)
    }
    return stretches
  }

  private static func contents(of path: String) throws(ArgumentFailure) -> String {
    do throws(ImportError) {
      return try TextFile.read(path, as: "list of interactions")
    } catch {
      throw .unreadable(path: path, problem: error.description)
    }
  }
}
