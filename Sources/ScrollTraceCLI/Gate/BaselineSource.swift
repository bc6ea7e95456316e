import ScrollTraceKit

/// The baseline of a check, or the reason why there is none.
struct BaselineSource {
  private let baseline: Baseline?
  /// The reason why runs are not compared with a requested baseline, or `nil` if there is no
  /// problem.
  let warning: String?
  /// The effect of a missing baseline on the check.
  let status: ExitStatus
  let note: VerdictNote?

  var isThere: Bool { baseline != nil }

  /// The baseline for `run`.
  ///
  /// If the command line asks for a comparison and the baseline, or its group of runs, is missing, the
  /// check is not evaluated. If a budget asks, the check continues with a warning.
  init(_ run: GateInput, _ arguments: ParsedArguments) {
    let path = run.setup.baseline
    let request = run.setup.baselineRequest
    let decides =
      request == .commandLine || arguments.has(GateFlags.requireBaseline)
      || arguments.has(GateFlags.detect)
    guard run.setup.hasBaseline else {
      let option = path == GateFlags.baselineName ? "" : " -o \(path)"
      let advice = "create it with: \(ToolIdentity.name) baseline TRACE...\(option)"
      baseline = nil
      status = decides ? .notEvaluated : .done
      warning = decides || request != .none ? "no baseline yet; \(advice)" : nil
      note = warning.map { _ in
        VerdictNote(
          .baseline, decides ? .error : .warning,
          "not compared: no baseline at \(path); \(advice)")
      }
      return
    }
    do throws(ImportError) {
      let read = try BaselineFile.decode(try TextFile.read(path, as: "baseline"))
      // Runs of which nothing could be evaluated have no refresh rate, and the results say why.
      let hasData = run.runs.contains { $0.evaluatedPrimarySurface != nil }
      if hasData, let difference = read.fingerprint.difference(from: run.fingerprint) {
        let isNewer = read.fingerprint.metricsVersion > run.fingerprint.metricsVersion
        throw ImportError(
          "cannot be compared with these traces, \(difference)",
          advice: isNewer
            ? "update \(ToolIdentity.name)"
            : "make one for them with: \(ToolIdentity.name) baseline TRACE... -o FILE")
      }
      baseline = read
      let missing = run.groups.filter { read.group($0.name) == nil }.map(\.name)
      warning = missing.isEmpty ? nil : Self.text(ofMissing: missing, in: read)
      status = missing.isEmpty || !decides ? .done : .notEvaluated
    } catch {
      baseline = nil
      warning = error.problem
      status = .notEvaluated
    }
    let level: VerdictNote.Level = status == .notEvaluated ? .error : .warning
    note = warning.map { VerdictNote(.baseline, level, "not compared: the baseline \(path) \($0)") }
  }

  func verdict(on group: RunGroup, budget: Budget) -> Verdict {
    budget.verdict(
      on: group.runs, group: group.name, baseline: baseline?.group(group.name))
  }

  /// The message that the baseline has no runs of these groups, with the groups that it has. Without
  /// `--group`, a group has no name.
  private static func text(ofMissing names: [String], in baseline: Baseline) -> String {
    let known = baseline.groups.map(\.name).filter { !$0.isEmpty }
    let there = known.isEmpty ? "was made without --group" : "has " + known.listed()
    let named = names.filter { !$0.isEmpty }.map { "'\($0)'" }
    return "has no group \(named.isEmpty ? "like this one" : named.listed()): it \(there);"
      + " 'baseline' and 'check' need the same --group"
  }
}
