import Foundation
import ScrollTraceTestSupport
import Testing

/// The adapters for Apple's frameworks, checked against stand-ins of those where they are not.
///
/// It shows that the code holds together and uses what the documentation declares; what the true
/// frameworks do with it is another matter.
@Suite struct AppleAdapterTests {
  private static let standIns = PackageFiles.url("Tests/ScrollTraceEndToEndTests/StandIns")

  /// Whether there is a compiler, and not the frameworks themselves.
  static let canCheck: Bool = {
    #if os(Linux)
      ShellRun.succeeds("swiftc --version")
    #else
      false
    #endif
  }()

  private static func files(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Examples/") }.sorted()
      .map { folder.path + "/" + $0 }
  }

  /// A folder with stand-ins of a framework and what it needs, and how to compile against them.
  private struct StandIns {
    private let home: TemporaryFolder
    var folder: String { home.path }
    let options: String

    init(of framework: String) throws {
      home = TemporaryFolder()
      // The stand-ins lie ahead of what was built here, where the adapters have no frameworks.
      options =
        "-swift-version 6 -parse-as-library -Xfrontend -enable-objc-interop -I '\(home.path)' "
        + (try BuiltModules.options())
      var names = ["ObjectiveC", "CoreGraphics", "QuartzCore", "os", framework]
      if framework == "UIKit" { names.append("SwiftUI") }
      for name in names {
        let source = AppleAdapterTests.standIns.appendingPathComponent("\(name).swift").path
        let module = try compile([source], as: name)
        try #require(module.status == 0, "\(module.output)")
      }
    }

    /// Compiles files into a module, but makes no code.
    func compile(
      _ files: [String], as module: String, _ more: String = ""
    ) throws -> ShellRun {
      let sources = files.map { "'\($0)'" }.joined(separator: " ")
      return try ShellRun(
        "swiftc \(options) -emit-module -module-name \(module) \(more) \(sources)"
          + " -o '\(folder)/\(module).swiftmodule'")
    }

    /// Compiles a library, which uses what its package declares for itself.
    func compile(library name: String) throws -> ShellRun {
      try compile(
        AppleAdapterTests.files(in: PackageFiles.url("Sources/" + name)), as: name,
        "-package-name '\(PackageFiles.folder.lastPathComponent.lowercased())' -warnings-as-errors"
          + " -enable-upcoming-feature ExistentialAny"
          + " -enable-upcoming-feature InternalImportsByDefault")
    }
  }

  @Test(.needs("swiftc", if: canCheck), .needsTime)
  func `the adapters match the declarations of AppKit`() throws {
    let check = try StandIns(of: "AppKit").compile(library: "ScrollTraceAdapters")
    #expect(check.status == 0, "\(check.output)")
  }

  @Test(.needs("swiftc", if: canCheck), .needsTime)
  func `the metric of tests matches the declarations of XCTest`() throws {
    let check = try StandIns(of: "XCTest").compile(library: "ScrollTraceTesting")
    #expect(check.status == 0, "\(check.output)")
  }

  @Test(.needs("swiftc", if: canCheck), .needsTime)
  func `the adapters and their guide match the declarations of UIKit`() throws {
    let standIns = try StandIns(of: "UIKit")
    let check = try standIns.compile(library: "ScrollTraceAdapters")
    try #require(check.status == 0, "\(check.output)")
    let blocks = try PackageFiles.blocks(
      of: "swift", in: "Sources/ScrollTraceAdapters/ScrollTraceAdapters.docc/RecordingFromUIKit.md")
    #expect(blocks.count == 3)
    let readme = try PackageFiles.blocks(of: "swift", in: "README.md")
    let call = """
      import ScrollTraceAdapters
      import ScrollTraceRecorder
      import UIKit

      @available(iOS 18, *) @MainActor
      func readme(_ collectionView: UICollectionView) throws {
      \(try #require(readme.first))}
      """
    var files = [Self.standIns.appendingPathComponent("GuideApp.swift").path]
    for (index, text) in (blocks + [call]).enumerated() {
      let file = "\(standIns.folder)/Guide\(index).swift"
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      files.append(file)
    }
    let example = try standIns.compile(files, as: "Guide", "-warnings-as-errors")
    #expect(example.status == 0, "\(example.output)")
    let app = try Self.files(
      in: PackageFiles.url("Sources/ScrollTraceAdapters/Examples/Feed"))
    #expect(app.count == 5)
    let feed = try standIns.compile(app, as: "Feed", "-warnings-as-errors")
    #expect(feed.status == 0, "\(feed.output)")
  }
}
