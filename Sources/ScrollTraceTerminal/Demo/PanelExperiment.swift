import ReferenceListEngine
import ScrollTraceCLI
import ScrollTraceKit

/// A comparison of three policies on one scroll script.
struct PanelExperiment {
  /// The environment that the graphs are drawn for.
  let environment: CommandEnvironment

  /// Plays, records and analyzes the script under each policy.
  func text() throws -> String {
    let style = TextStyle(
      width: min(environment.width, 120), tier: environment.tier, palette: environment.palette)
    var text = """
      One scroll script under three policies: main-thread work per frame.
      Columns above the dashed line are late.

      """
    for (number, run) in SciencePanel.runs.enumerated() {
      let trace = try TraceFile.read(MemoryByteSource(run.sample.play().bytes))
      let analysis = TraceAnalyzer().analyze(trace)
      text += "\n\(number + 1). \(run.title)\n"
      text += TextRenderer(style).renderGraph(of: analysis)
      text += figures(of: analysis)
    }
    return text + "\nNext: \(ScrollTraceCommand.name) demo --virtual-time --record run.fxt\n"
  }

  private func figures(of analysis: Analysis) -> String {
    guard let surface = analysis.surfaces.first, let work = surface.interactions.first?.work
    else { return "" }
    let ratio =
      surface.ratio.map { Quantity.ratio($0, in: analysis.options.thresholds) } ?? "no data"
    func text(_ busy: TimeSpan?) -> String { busy.map { Quantity.length($0) } ?? "no data" }
    return "   \(surface.counts.hitches ?? 0) hitches, \(ratio); main \(text(work.mainBusy));"
      + " background \(text(work.backgroundBusy))\n"
  }
}
