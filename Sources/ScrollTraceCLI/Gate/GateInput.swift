import ScrollTraceKit

/// Traces that were read for the gate, in their groups.
struct GateInput {
  /// What they are compared with.
  let setup: GateSetup
  /// The groups, in the order of the command line.
  let groups: [RunGroup]
  /// All paths that were tried.
  let paths: [String]
  /// Under what circumstances the runs were recorded.
  let fingerprint: Fingerprint
  /// Whether everything could be read, and whether anything was lost.
  private(set) var status: ExitStatus
  /// Whether a trace had lost data.
  let hasLost: Bool
  /// What a report says of traces that were given more than once.
  let notes: [VerdictNote]

  /// All runs, group by group.
  var runs: [Analysis] { groups.flatMap(\.runs) }

  /// Reads `operands`, or `nil` if what `arguments` name cannot be read, which was said then.
  init?(
    _ operands: [String], _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) {
    do throws(ArgumentFailure) {
      setup = try GateSetup(arguments, in: console.environment)
    } catch {
      try error.report(on: console)
      return nil
    }
    guard var reader = try RunReader(arguments, on: console) else { return nil }
    reader.thresholds = setup.budget.thresholds
    reader.skipsRepeatedFiles = true
    reader.read(operands)
    notes = Self.copies(reader)
    for note in notes { console.complain(about: "warning", note.text) }
    status = reader.status
    hasLost = reader.hasLost
    let patterns = arguments.values(of: GateFlags.group)
    let (groups, others) = RunGroup.all(reader.runs, patterns: patterns)
    for path in others {
      console.complain(about: path, "fits no --group; add one, or leave the trace out")
      status = .unjudged
    }
    for pattern in patterns where !groups.contains(where: { $0.name == pattern }) {
      console.complain(about: "--group \(pattern)", "fits no trace that is left for it")
      status = .unjudged
    }
    self.groups = groups
    paths = reader.paths
    fingerprint = Fingerprint(
      of: reader.runs, device: arguments.value(of: GateFlags.device),
      configuration: arguments.value(of: GateFlags.configuration))
  }

  /// The traces that are no further runs: one note on the files that were given again, and one on each
  /// whose bytes are those of another.
  private static func copies(_ reader: RunReader) -> [VerdictNote] {
    let most = 3
    let again = reader.repeated.map { path, first in
      path == first ? path : "\(path), the same file as \(first)"
    }
    let more = again.count > most ? "; and \(again.count - most) more" : ""
    let count = again.count == 1 ? "1 trace was" : "\(again.count) traces were"
    let known = VerdictNote(
      .duplicates, .warning,
      "\(count) given before, and each file counts once: \(again.prefix(most).joined(separator: "; "))\(more)"
    )
    return (again.isEmpty ? [] : [known])
      + DuplicateTraces.pairs(in: reader.runs.map(\.trace.source)).map { path, first in
        VerdictNote(
          .duplicates, .warning,
          "\(path) has the same bytes as \(first); a copy is not another run")
      }
  }
}
