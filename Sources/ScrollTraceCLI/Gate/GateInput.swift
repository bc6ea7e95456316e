import ScrollTraceKit

/// The traces of a check, in groups.
struct GateInput {
  /// The budget and the baseline.
  let setup: GateSetup
  /// The groups, in the order of the command line.
  let groups: [RunGroup]
  let paths: [String]
  /// The circumstances of the recording.
  let fingerprint: Fingerprint
  /// Whether everything could be read and belongs to a group.
  private(set) var status: ExitStatus
  /// The notes on traces that were given more than once, cannot be read or are in no group.
  private(set) var notes: [VerdictNote]

  private static let maximumNotes = 8

  /// The runs of all groups, in order.
  var runs: [Analysis] {
    // One group's runs need no copy.
    groups.count == 1 ? groups[0].runs : groups.flatMap(\.runs)
  }

  /// Reads the operands.
  ///
  /// - Parameter keepsWorkCosts: Whether to determine the largest work and waits also without a baseline
  ///   to compare with.
  init(
    _ arguments: ParsedArguments, retention: RunReader.Retention, findsCauses: Bool,
    keepsWorkCosts: Bool = false, on console: Console
  ) throws {
    setup = try GateSetup(arguments, in: console.environment)
    var reader = try RunReader(arguments, on: console)
    reader.countsCopiesOnce = true
    reader.retention = retention
    reader.options.thresholds = setup.budget.thresholds ?? reader.options.thresholds
    reader.options.findsCauses = findsCauses
    reader.options.keepsWorkCosts = keepsWorkCosts || setup.hasBaseline
    reader.read(arguments.operands, lists: arguments)
    notes = reader.notesOnDuplicates.map { VerdictNote(.duplicates, .warning, $0) }
    for note in notes { console.warn(note.text) }
    status = reader.status
    let patterns = arguments.values(of: GateFlags.group)
    let (groups, others) = RunGroup.all(reader.runs, patterns: patterns)
    var mistakes = SelectionMistakes()
    for path in others {
      mistakes.add("matches no --group; add one, or leave the trace out", path: path)
    }
    var strays = mistakes.reports
    for pattern in patterns where !groups.contains(where: { $0.name == pattern }) {
      strays.append(("--group \(pattern)", "matches no remaining trace"))
    }
    for stray in strays { console.fail(about: stray.path, stray.text) }
    if !strays.isEmpty { status = .notEvaluated }
    notes += Self.errors(reader.problems + strays)
    self.groups = groups
    paths = reader.paths
    fingerprint = Fingerprint(
      of: reader.runs, device: arguments.value(of: GateFlags.device),
      configuration: arguments.value(of: GateFlags.buildType))
  }

  /// The notes on what is left out of the runs, the first of them one by one.
  private static func errors(_ problems: [(path: String, text: String)]) -> [VerdictNote] {
    let texts = problems.prefix(maximumNotes).map {
      "\(Console.name(ofInput: $0.path)): \($0.text)"
    }
    let more = Quantity.more(problems.count - texts.count).map { [$0 + " are left out"] } ?? []
    return (texts + more).map { VerdictNote(.noData, .error, $0) }
  }
}
