package import ScrollTraceModel

extension AnalysisOptions {
  /// The part of a trace that counts. The whole trace is always evaluated.
  ///
  /// All conditions must hold for a time to be selected.
  package struct Selection: Equatable, Sendable {
    /// The start, relative to the trace's start, or `nil` for the trace's start.
    package var from: TimeSpan?
    /// The end, relative to the trace's start, or `nil` for the trace's end.
    package var to: TimeSpan?
    /// The kind or name of the interactions to count, or the 1-based number of one.
    package var interaction: String?
    package var states: [State] = []
    /// The surface to report in full.
    package var surface: String?
    /// The command-line arguments of the selection, as given.
    package var arguments: [String] = []

    package var isEmpty: Bool { !narrowsTime && surface == nil }

    package var narrowsTime: Bool {
      from != nil || to != nil || interaction != nil || !states.isEmpty
    }

    package init() {}
  }

  /// A state and its value.
  package struct State: Equatable, Sendable {
    package let key: String
    package let value: String

    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }
}

/// A selection that does not exist, with the alternatives.
package enum SelectionProblem: Error, Equatable, Sendable {
  /// No surface has this name.
  case unknownSurface(String, known: [String])
  /// No interaction has this kind, name or number.
  case unknownInteraction(String, count: Int, known: [String])
  /// The selection starts after the end of the recording, which has this length.
  case behindEnd(from: TimeSpan, length: TimeSpan)
  /// All ranges that the user named start after the end of the recording, which has this length.
  case interactionsBehindEnd([String], length: TimeSpan)
  /// No mark and no asynchronous span matches the user's pattern.
  case unknownMarks(pattern: String, known: [String])
  /// The state never had this value.
  case unknownState(AnalysisOptions.State, known: [AnalysisOptions.State])
}

extension AnalysisOptions {
  /// Returns whether the user selected a surface, or none in particular.
  func selects(_ surface: SurfaceAnalysis) -> Bool {
    selection.surface.map { $0 == surface.name } ?? true
  }

  /// Returns the position of the surface that gives the verdict (M-24): among the selected surfaces
  /// that could be evaluated, one on screen, then the one with most frames in motion, never the one
  /// with the worst figure.
  func primaryIndex(of surfaces: [SurfaceAnalysis]) -> Int? {
    surfaces.indices.filter { selects(surfaces[$0]) && surfaces[$0].isEvaluated }
      .max { surfaces[$1].comesBefore(surfaces[$0]) }
  }

  /// The surfaces of other apps than that of the primary one. What makes them late is not about that app.
  func otherApps(among surfaces: [SurfaceAnalysis], in trace: Trace) -> Set<SurfaceID> {
    guard let app = primaryIndex(of: surfaces).flatMap({ trace.process(of: surfaces[$0].surface) })
    else { return [] }
    let others = surfaces.map(\.surface).filter { surface in
      trace.process(of: surface).map { $0 != app } ?? false
    }
    return Set(others)
  }
}
