import Foundation
import ScrollTraceTestSupport

/// The package's modules, as they were built for the tests.
enum BuiltModules {
  /// Returns the options with which a compiler finds the modules.
  static func options() throws -> String {
    let built = try PackageFiles.buildFolder(of: "scrolltrace")
    let header = PackageFiles.url("Sources/CScrollTrace/include").path
    let maps =
      ["CRecorderShims", "CImportShims"].map { "\(built)/\($0).build/module.modulemap" }
      + [header + "/module.modulemap"]
    return "-I '\(built)/Modules' "
      + maps.map { "-Xcc -fmodule-map-file='\($0)'" }.joined(separator: " ")
  }

  /// Returns the object files of modules, with which a program is linked, for a shell.
  static func objects(of modules: [String]) throws -> String {
    let built = try PackageFiles.buildFolder(of: "scrolltrace")
    return modules.map { "$(find '\(built)/\($0).build' -name '*.o')" }.joined(separator: " ")
  }
}
