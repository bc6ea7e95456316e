import ScrollTraceKit

/// Traces that were read for the gate, in their groups.
struct GateRun {
  /// What they are held against.
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

  /// All runs, group by group.
  var runs: [Analysis] { groups.flatMap(\.runs) }

  /// Reads `operands`; `nil` where what `arguments` name cannot be read, which was said then.
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
    reader.read(operands)
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
      configuration: arguments.value(of: GateFlags.configuration), tool: Tool.version)
  }
}
