import ReferenceListEngine
import ScrollTraceKit

/// One session under three policies, with the graphs one below the other.
struct PanelExperiment {
  /// What the graphs are drawn for.
  let environment: CommandEnvironment

  /// Plays, records and analyzes all of it, and says what came out.
  func text() throws -> String {
    let style = TextStyle(
      width: min(environment.width, 120), tier: environment.tier, palette: environment.palette)
    var text = """
      One scrolled session, played under three policies: the main thread's work per
      frame, as a multiple of the time a frame had. Columns above 1x are late.

      """
    for (number, run) in SciencePanel.runs.enumerated() {
      let trace = try TraceFile.read(MemoryByteSource(run.sample.play().bytes))
      let analysis = TraceAnalyzer().analyze(trace)
      text += "\n\(number + 1). \(run.title)\n"
      text += TextRenderer(style).renderGraph(of: analysis)
      text += figures(of: analysis)
    }
    return text + "\nNext: \(ScrollTraceCommand.name) demo --virtual --record run.fxt\n"
  }

  private func figures(of analysis: Analysis) -> String {
    guard let surface = analysis.surfaces.first, let work = surface.interactions.first?.work
    else { return "" }
    let ratio =
      surface.ratio.map { Quantity.ratio($0, in: analysis.options.thresholds) } ?? "no data"
    let main = work.mainBusy.map { Quantity.length($0) } ?? "no data"
    return "   \(surface.counts.hitches) dropped frames, \(ratio); main \(main);"
      + " background \(Quantity.length(work.backgroundBusy))\n"
  }
}
