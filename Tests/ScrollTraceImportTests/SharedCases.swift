import Foundation
import ScrollTraceTestSupport

import Testing

/// Traces and answers that lie outside the package, where `SCROLLTRACE_CASES` says.
enum SharedCases {
  static var folder: String? { ExtraCases.folder }

  static func path(_ name: String) throws -> String {
    try #require(folder) + "/" + name
  }

  /// The parsed JSON in the file `name`.
  static func json(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path(name)))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }
}
