// swift-tools-version: 6.3
import PackageDescription

// Warnings are errors where the package itself is worked on, but not in the build of an app, which must not
// fail because the system's next version deprecates a call.
let isStrict = Context.environment["SCROLLTRACE_STRICT"] != nil

/// The settings of every target in C.
let strictC: [CSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []

/// The settings of every Swift target: strict imports and explicit existentials.
let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

// ScrollTraceKit exports these. Who imports it depends on them as well: otherwise it is not built again when the
// memory layout of their types changes.
let partsOfKit: [Target.Dependency] = [
  "ScrollTraceModel", "ScrollTraceImport", "ScrollTraceExport", "ScrollTraceAnalysis",
  "ScrollTraceGate", "ScrollTraceReport", "ScrollTraceSummary",
]
let kit = partsOfKit + ["ScrollTraceKit"]

let package = Package(
  name: "scrolltrace",
  platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
  products: [
    .library(name: "ScrollTraceRecorder", targets: ["ScrollTraceRecorder"]),
    .library(name: "ScrollTraceAdapters", targets: ["ScrollTraceAdapters"]),
    .library(name: "ScrollTraceKit", targets: ["ScrollTraceKit"]),
    // Sums that an app makes of its own frames and uploads, without the reader.
    .library(name: "ScrollTraceSummary", targets: ["ScrollTraceSummary", "ScrollTraceAnalysis"]),
    .library(name: "ScrollTraceTesting", targets: ["ScrollTraceTesting"]),
    // The recorder for hosts in other languages: the header and what implements it. From the static
    // library, Sources/CScrollTrace/install.sh links what is installed.
    .library(
      name: "CScrollTrace", type: .dynamic,
      targets: ["CScrollTrace", "ScrollTraceRecorder"]),
    .library(
      name: "CScrollTraceStatic", type: .static,
      targets: ["CScrollTrace", "ScrollTraceRecorder"]),
    .executable(name: "scrolltrace", targets: ["scrolltrace"]),
    .executable(name: "scrolltrace-bench", targets: ["scrolltrace-bench"]),
  ],
  targets: [
    // The street, in the order in which data moves along it.
    .target(name: "CRecorderShims", cSettings: strictC),
    .target(name: "ScrollTracePlatform", swiftSettings: strict),
    .target(
      name: "ScrollTraceLayout", dependencies: ["ScrollTracePlatform", "CRecorderShims"],
      swiftSettings: strict),
    .target(
      name: "ScrollTraceRecorder",
      dependencies: [
        "ScrollTraceLayout", "ScrollTracePlatform", "CRecorderShims", "CScrollTrace",
      ],
      // Resources would need Foundation. Apps have the same manifest from the adapters.
      exclude: ["PrivacyInfo.xcprivacy"], swiftSettings: strict),
    .target(
      name: "CScrollTrace", exclude: ["Bindings", "Examples", "exports.map", "install.sh"],
      cSettings: strictC),
    // What adds up over many traces: for apps and for the reader, so it depends on neither.
    .target(name: "ScrollTraceSummary", swiftSettings: strict),
    .target(name: "ScrollTraceModel", swiftSettings: strict),
    .target(name: "CImportShims", cSettings: strictC),
    .target(
      name: "ScrollTraceImport",
      dependencies: [
        "ScrollTraceModel", "ScrollTraceLayout", "ScrollTracePlatform", "ScrollTraceSummary",
        "CImportShims",
      ],
      swiftSettings: strict),
    .target(
      name: "ScrollTraceExport",
      dependencies: [
        "ScrollTraceModel", "ScrollTraceLayout", "ScrollTracePlatform", "CImportShims",
      ],
      swiftSettings: strict),
    .target(
      name: "ScrollTraceAnalysis",
      dependencies: ["ScrollTraceLayout", "ScrollTraceModel", "ScrollTraceSummary"],
      swiftSettings: strict),
    .target(
      name: "ScrollTraceGate",
      dependencies: [
        "ScrollTraceLayout", "ScrollTracePlatform", "ScrollTraceModel", "ScrollTraceAnalysis",
      ],
      swiftSettings: strict),
    .target(
      name: "ScrollTraceReport",
      dependencies: [
        "ScrollTraceModel", "ScrollTraceAnalysis", "ScrollTraceGate",
        "ScrollTraceSummary",
      ], exclude: ["Schemas"], swiftSettings: strict),
    .target(name: "ScrollTraceKit", dependencies: partsOfKit, swiftSettings: strict),
    // For the tests of others: nothing that is no test may depend on it.
    .target(
      name: "ScrollTraceTesting", dependencies: kit + ["ScrollTraceRecorder"],
      swiftSettings: strict),
    // Hosts and commands.
    .target(
      name: "ScrollTraceAdapters", dependencies: ["ScrollTraceRecorder"], exclude: ["Examples"],
      resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: strict),
    .target(
      name: "ReferenceListEngine",
      dependencies: ["ScrollTraceRecorder", "ScrollTraceLayout", "ScrollTracePlatform"],
      swiftSettings: strict),
    .target(
      name: "ScrollTraceCLI",
      dependencies: kit + ["ScrollTraceLayout", "ScrollTracePlatform", "CRecorderShims"],
      swiftSettings: strict),
    .target(
      name: "ScrollTraceTerminal",
      dependencies: kit + [
        "ReferenceListEngine", "ScrollTraceCLI", "ScrollTraceLayout", "ScrollTracePlatform",
        "ScrollTraceRecorder", "CRecorderShims",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "scrolltrace",
      dependencies: ["ScrollTraceCLI", "ScrollTracePlatform", "ScrollTraceTerminal"],
      swiftSettings: strict),
    .executableTarget(
      name: "scrolltrace-bench",
      dependencies: kit + [
        "CSpanLoop", "ReferenceListEngine", "ScrollTraceLayout", "ScrollTracePlatform",
        "ScrollTraceRecorder", "CRecorderShims",
      ],
      swiftSettings: strict),
    .target(
      name: "CSpanLoop", dependencies: ["CScrollTrace"], cSettings: strictC),
    .executableTarget(name: "scrolltrace-bench-line", swiftSettings: strict),
    // Tests.
    .target(
      name: "ScrollTraceTestSupport",
      dependencies: ["ScrollTraceModel", "ScrollTraceLayout", "ScrollTraceRecorder"],
      path: "Tests/ScrollTraceTestSupport", swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceModelTests",
      dependencies: ["ScrollTraceLayout", "ScrollTraceModel", "ScrollTraceTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceLayoutTests",
      dependencies: ["ScrollTraceLayout", "ScrollTraceTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceAnalysisTests",
      dependencies: [
        "ScrollTraceAnalysis", "ScrollTraceLayout", "ScrollTraceModel", "ScrollTraceSummary",
        "ScrollTraceTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceGateTests",
      dependencies: [
        "ScrollTraceGate", "ScrollTraceAnalysis", "ScrollTraceLayout", "ScrollTraceModel",
        "ScrollTraceTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceImportTests",
      dependencies: [
        "ScrollTraceAnalysis", "ScrollTraceImport", "ScrollTraceLayout", "ScrollTraceModel",
        "ScrollTracePlatform", "ScrollTraceSummary", "ScrollTraceTestSupport", "CImportShims",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceExportTests",
      dependencies: [
        "ScrollTraceAnalysis", "ScrollTraceExport", "ScrollTraceImport", "ScrollTraceLayout",
        "ScrollTraceModel", "ScrollTraceReport", "ScrollTraceTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceEndToEndTests",
      dependencies: [
        "CTestSupport", "ScrollTraceAdapters", "ScrollTraceAnalysis", "ScrollTraceCLI",
        "ScrollTraceImport", "ScrollTraceLayout", "ScrollTraceModel", "ScrollTracePlatform",
        "ScrollTraceRecorder", "ScrollTraceReport", "ScrollTraceSummary", "ScrollTraceTestSupport",
        "scrolltrace",
      ], exclude: ["StandIns"], swiftSettings: strict),
    .target(
      name: "CTestSupport", path: "Tests/CTestSupport",
      cSettings: strictC),
    .testTarget(
      name: "ScrollTraceRecorderTests",
      dependencies: [
        "CRecorderShims", "CTestSupport", "ScrollTraceImport", "ScrollTraceLayout",
        "ScrollTraceModel", "ScrollTracePlatform", "ScrollTraceRecorder",
        "ScrollTraceTestSupport", "scrolltrace-hammer",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "scrolltrace-hammer",
      dependencies: [
        "ScrollTraceImport", "ScrollTraceLayout", "ScrollTraceModel", "ScrollTraceRecorder",
      ],
      path: "Tests/ScrollTraceHammer", swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceCTests",
      // The library itself is not linked but built beside the tests, and loaded by what they run.
      dependencies: [
        "ScrollTraceAnalysis", "ScrollTraceImport", "ScrollTraceLayout", "ScrollTraceModel",
        "ScrollTraceTestSupport",
      ], exclude: ["Programs"], swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceReportTests",
      dependencies: [
        "ScrollTraceReport", "ScrollTraceAnalysis", "ScrollTraceGate", "ScrollTraceLayout",
        "ScrollTraceModel", "ScrollTraceSummary",
        "ScrollTraceTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceCLITests",
      dependencies: kit + [
        "ReferenceListEngine", "ScrollTraceCLI", "ScrollTraceLayout", "ScrollTraceRecorder",
        "ScrollTraceTerminal", "ScrollTraceTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ScrollTraceTestingTests",
      dependencies: kit + [
        "ReferenceListEngine", "ScrollTraceRecorder", "ScrollTraceTesting",
        "ScrollTraceTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReferenceListEngineTests",
      dependencies: [
        "ReferenceListEngine", "ScrollTraceAnalysis", "ScrollTraceGate", "ScrollTraceImport",
        "ScrollTraceLayout", "ScrollTraceModel", "ScrollTraceRecorder", "ScrollTraceReport",
        "ScrollTraceTestSupport",
      ], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzer brings its own `main`, so that its target cannot be part of an ordinary build: the
// script .ci/fuzz builds and runs it.
if Context.environment["SCROLLTRACE_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "scrolltrace-fuzz",
      dependencies: kit + ["ScrollTraceLayout", "ScrollTracePlatform", "ScrollTraceRecorder"],
      path: "Tests/ScrollTraceFuzz", exclude: ["Corpus"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// Where only some tests are to run, under a sanitizer, the others need not be built.
if let names = Context.environment["SCROLLTRACE_TESTS"]?.split(separator: ",") {
  package.targets.removeAll { $0.type == .test && !names.contains(Substring($0.name)) }
}
