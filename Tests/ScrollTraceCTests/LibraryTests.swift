import Foundation
import Testing

/// What is installed is what the header declares, and it can be used from there.
struct LibraryTests {
  @Test func `the list of exports equals the header's functions`() throws {
    let exports = try String(
      contentsOf: Library.sources.appendingPathComponent("exports.map"), encoding: .utf8)
    let listed = exports.matches(of: /(scrolltrace_\w+);/).map { String($0.1) }
    #expect(listed == listed.sorted())
    #expect(Set(listed) == (try Library.declaredFunctions()))
  }
}
