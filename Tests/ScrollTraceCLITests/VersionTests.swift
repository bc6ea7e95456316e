import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

/// The version is written in one place, and what must repeat it does.
@Suite struct VersionTests {
  @Test func `the changelog and the Python module have the version of the package`() throws {
    let changelog = try PackageFiles.text("Sources/ScrollTraceKit/ScrollTraceKit.docc/Changelog.md")
    let newest = changelog.split(separator: "\n").first { $0.wholeMatch(of: /## \d.*/) != nil }
    #expect(newest?.hasPrefix("## \(ToolIdentity.version)") == true)
    let module = try PackageFiles.text("Sources/CScrollTrace/Bindings/scrolltrace.py")
    #expect(module.contains("\n__version__ = \"\(ToolIdentity.version)\"\n"))
    #expect(ToolIdentity.version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
  }

  @Test func `no target has unsafe flags`() throws {
    let manifest = try PackageFiles.text("Package.swift")
    // The fuzzer is no part of the package unless it is asked for.
    let package = manifest.components(separatedBy: "SCROLLTRACE_FUZZ")[0]
    #expect(!package.contains("unsafeFlags"))
  }
}
