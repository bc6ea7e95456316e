import ScrollTraceTestSupport

/// Where the package's recordings are.
enum Sample {
  static func path(_ name: String) -> String { PackageFiles.sample(name) }
}
