import ScrollTraceKit
import ScrollTracePlatform

/// The budget of a check, and the locations of the budget and the baseline.
struct GateSetup {
  static let fileName = ".scrolltrace.json"

  enum BaselineRequest {
    /// There is none. A baseline at the default path is used.
    case none
    /// The budget, with a path or with tolerances. It may be the project's first run.
    case budget
    case commandLine
  }

  private(set) var budget = Budget(rules: [
    Budget.Rule(regressions: Budget.usualRegressions)
  ])
  /// The budget file, or `nil` if there is none.
  private(set) var file: String?
  private(set) var baseline: String
  /// Whether there is a file at that path.
  var hasBaseline: Bool { access(baseline, F_OK) == 0 }
  private(set) var baselineRequest = BaselineRequest.none
  /// The folder that was searched for a budget file, or `nil` if one was named.
  private(set) var searchedFolder: String?

  init(_ arguments: ParsedArguments, in environment: CommandEnvironment) throws {
    baseline = GateFlags.baselineName
    try readBudget(arguments, environment)
    add(limits: try GateFlags.limits(arguments), arguments)
    budget.detect = try GateFlags.detectable(arguments)
    budget.isStrict = arguments.has(GateFlags.strict) || budget.detect != nil
    if let path = arguments.value(of: GateFlags.baseline) {
      baseline = path
      baselineRequest = .commandLine
    }
  }

  private mutating func readBudget(
    _ arguments: ParsedArguments, _ environment: CommandEnvironment
  ) throws {
    let named = arguments.value(of: GateFlags.budget)
    if let named, named.first == "{" {
      try decode(named, of: "--budget", folder: "")
      return
    }
    if named == nil { searchedFolder = environment.workingDirectory }
    guard let path = named ?? Self.nearestFile(from: environment.workingDirectory) else { return }
    file = path
    let text = try TextFile.read(path, as: "budget")
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    try decode(text, of: path, folder: String(path[..<end]))
  }

  private mutating func decode(_ text: String, of place: String, folder: String) throws {
    do {
      let document = try JSONDocument(text)
      let decoded = try BudgetFile.decode(document)
      budget = decoded.budget
      baseline = folder + GateFlags.baselineName
      if let path = decoded.baseline {
        baseline = path.hasPrefix("/") ? path : folder + path
      }
      let tolerances = document["regression"]?.members ?? []
      if decoded.baseline != nil || !tolerances.isEmpty { baselineRequest = .budget }
    } catch let error as ImportError {
      throw error.inFile(place)
    } catch let error as BudgetFile.Mistake {
      throw UsageError(message: "\(place): \(error.message)", flag: GateFlags.budget)
    }
  }

  private mutating func add(limits: [Budget.Limit], _ arguments: ParsedArguments) {
    let preset = arguments.value(of: GateFlags.thresholds).flatMap(Budget.Preset.init)
    budget.apply(preset: preset, limits: limits)
    let isEmpty = budget.rules.count <= 1 && budget.rules.allSatisfy(\.limits.isEmpty)
    if isEmpty, file == nil, !arguments.has(GateFlags.budget) {
      budget.apply(preset: .scroll, limits: [])
    }
  }

  /// Returns the budget file in `folder` or its nearest ancestor.
  private static func nearestFile(from folder: String?) -> String? {
    guard var folder else { return nil }
    while true {
      let path = folder.hasSuffix("/") ? folder + fileName : folder + "/" + fileName
      // A dangling symbolic link is an error to report, not a reason to continue.
      var status = stat()
      if lstat(path, &status) == 0 { return path }
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return nil }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
  }
}
