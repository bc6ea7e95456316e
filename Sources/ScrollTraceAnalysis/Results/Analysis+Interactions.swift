import ScrollTraceModel

extension Analysis {
  /// Returns a Boolean value indicating whether the whole recording counts for `surface` because neither
  /// the trace nor the options define an interaction.
  package func lacksInteractions(_ surface: SurfaceAnalysis) -> Bool {
    surface.measuredTime.kind == .recording && trace.interactions.isEmpty
      && !options.namesInteractions
  }
}
