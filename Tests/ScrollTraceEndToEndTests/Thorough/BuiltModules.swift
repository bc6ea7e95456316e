import Foundation
import ScrollTraceTestSupport

/// The package's modules, as they were built for the tests.
enum BuiltModules {
  /// Returns the options with which a compiler finds the modules.
  static func options() throws -> String {
    let built = URL(fileURLWithPath: try CommandProcess.command()).deletingLastPathComponent()
    let header = PackageFiles.url("Sources/CScrollTrace/include").path
    let maps =
      ["CRecorderShims", "CImportShims"].map { "\(built.path)/\($0).build/module.modulemap" }
      + [header + "/module.modulemap"]
    return "-I '\(built.path)/Modules' "
      + maps.map { "-Xcc -fmodule-map-file='\($0)'" }.joined(separator: " ")
  }
}
