import ScrollTraceKit

/// Where a report goes, and in which forms.
struct ReportOutputs {
  private var outputs: [(destination: ReportDestination, renderer: any ReportRenderer)] = []

  /// The outputs that `arguments` ask for.
  ///
  /// - Parameter format: The option that names the forms of this command.
  init(
    _ arguments: ParsedArguments, format: Flag, in environment: CommandEnvironment
  ) throws(UsageError) {
    let destinations = try ReportFlags.destinations(arguments, for: format)
    try ReportFlags.check(arguments, destinations)
    for destination in destinations {
      outputs.append(
        (destination, try ReportFlags.renderer(destination, arguments, in: environment)))
    }
  }

  /// Writes `report` to all of them; one that cannot be written does not keep the others back.
  func write(_ report: Report, inputs: [String], on console: Console) -> ExitStatus {
    var status = ExitStatus.done
    for (destination, renderer) in outputs {
      do {
        try destination.write(renderer.render(report), inputs: inputs, on: console)
      } catch {
        console.complain(about: error.path, error.problem)
        status = .unjudged
      }
    }
    return status
  }
}
