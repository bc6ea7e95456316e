import Foundation
import ScrollTraceModel
import Testing

@testable import ScrollTraceImport

/// The traces that Perfetto's own tests are made of, and tables that were printed of them.
enum PerfettoCases {
  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedCases.path("perfetto/\(name)"))))
  }

  static func trace(_ name: String) throws -> Trace {
    try read(bytes(name))
  }

  /// The rows of a table by the names of its columns.
  static func table(_ name: String) throws -> [[String: String]] {
    let text = String(decoding: try bytes(name), as: UTF8.self)
    var lines = text.split(separator: "\n").map { cells(String($0)) }
    guard !lines.isEmpty else { return [] }
    let header = lines.removeFirst()
    return lines.map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }

  private static func cells(_ line: String) -> [String] {
    var (cells, cell, isQuoted) = ([String](), "", false)
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        cells.append(cell)
        cell = ""
      } else {
        cell.append(character)
      }
    }
    return cells + [cell]
  }
}
