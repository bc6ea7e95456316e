import Foundation
import ScrollTraceExport
import ScrollTraceTestSupport
import Testing

/// The guide *Converting traces*.
struct GuideTests {
  @Test func `the guide has a column for every format, with its file extensions`() throws {
    let sources = PackageFiles.url("Sources")
    let guide = try String(
      contentsOf: sources.appendingPathComponent(
        "ScrollTraceKit/ScrollTraceKit.docc/ConvertingTraces.md"), encoding: .utf8)
    let rows = guide.split(separator: "\n").filter { $0.hasPrefix("|") }.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let heads = try #require(rows.first)
    let files = try #require(rows.first { $0[0] == "file" })
    #expect(Set(heads.dropFirst()) == Set(TraceFormat.all.map { "`\($0.name)`" }))
    for type in TraceFormat.all {
      let column = try #require(heads.firstIndex(of: "`\(type.name)`"))
      #expect(files[column] == type.fileEndings.map { "`.\($0)`" }.joined(separator: ", "))
    }
  }
}
