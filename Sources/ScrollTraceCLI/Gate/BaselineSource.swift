import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The baseline of a gate, or why there is none to hold runs against.
struct BaselineSource {
  private let baseline: Baseline?
  /// Why runs are not held against a baseline that was asked for; `nil` where nothing is amiss.
  let warning: String?
  /// What that means for the gate.
  let status: ExitStatus

  /// The baseline for `run`.
  init(_ run: GateRun, _ arguments: ParsedArguments) {
    let path = run.setup.baseline
    let isRequired = arguments.has(GateFlags.requireBaseline)
    guard access(path, F_OK) == 0 else {
      baseline = nil
      let isMissed = isRequired || run.setup.namesBaseline
      warning =
        isMissed
        ? "is no baseline yet; make it with: \(Tool.name) baseline update TRACE... -o \(path)" : nil
      status = isRequired ? .unjudged : .done
      return
    }
    do throws(ImportError) {
      let read = try BaselineText.decode(try TextFile.read(path, as: "baseline"))
      if let difference = read.fingerprint.difference(from: run.fingerprint) {
        throw ImportError(
          "cannot be compared with these traces, \(difference)",
          advice: "make one for them with: \(Tool.name) baseline update TRACE... -o FILE")
      }
      baseline = read
      let missing = run.groups.filter { read.runs(ofGroup: $0.name) == nil }.map(\.name)
      warning =
        missing.isEmpty
        ? nil : "has no runs of the group \(missing.map { "'\($0)'" }.joined(separator: ", "))"
      status = missing.isEmpty || !isRequired ? .done : .unjudged
    } catch {
      baseline = nil
      warning = error.description
      status = .unjudged
    }
  }

  /// What `budget` and the baseline say of `group`.
  func verdict(on group: RunGroup, budget: Budget) -> Verdict {
    let verdict = budget.verdict(
      on: group.runs, group: group.name, baseline: baseline?.runs(ofGroup: group.name))
    guard status == .unjudged, let warning, verdict.status != .fail else { return verdict }
    return Verdict(
      .notJudged, reasons: ["the baseline \(warning)"] + verdict.reasons,
      judgements: verdict.judgements)
  }
}
