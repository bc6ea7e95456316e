// swift-tools-version: 6.3
import PackageDescription

// The example app as a program, for the simulator. For a phone, add the files to a project in Xcode.
let package = Package(
  name: "Feed",
  platforms: [.iOS(.v15)],
  dependencies: [.package(name: "scrolltrace", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Feed",
      dependencies: [
        .product(name: "ScrollTraceAdapters", package: "scrolltrace"),
        .product(name: "ScrollTraceRecorder", package: "scrolltrace"),
      ], path: "Feed", exclude: ["Info.plist"])
  ],
  swiftLanguageModes: [.v6]
)
