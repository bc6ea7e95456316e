import ScrollTraceAnalysis
import ScrollTraceModel

/// The surface that gives the verdict on several runs: the same one in all of them (M-24).
enum PrimarySurface {
  /// Its name, if the runs on their own would not agree on it, or if it would be one that the baseline has
  /// beside its primary surface; `nil` otherwise.
  ///
  /// One that is on screen in most runs comes first, then the one with most frames in motion.
  static func name(in runs: [Analysis], baseline: [RunValuesByMetric]? = nil) -> String? {
    var names = Set(runs.compactMap { $0.evaluatedPrimarySurface?.name })
    func isSecond(_ name: String) -> Bool {
      baseline?.contains { $0.values[MetricSubject.surface(name).text] != nil } ?? false
    }
    if names.contains(where: isSecond) {
      let others = runs.flatMap(\.surfacesOnScreenInMotion).map(\.name).filter { !isSecond($0) }
      if !others.isEmpty { names = Set(others) }
    } else if names.count == 1 {
      return nil
    }
    func weight(_ name: String) -> (Int, Int) {
      let surfaces = runs.compactMap { $0.selectedSurfaces.first { $0.name == name } }
      return (
        surfaces.count(where: \.isOnScreen),
        surfaces.reduce(0) { $0 + $1.framesForVerdict }
      )
    }
    return names.sorted().max { weight($0) < weight($1) }
  }

  /// The names of the other surfaces that were on screen and had frames in motion, sorted: each is
  /// checked under its own name (M-24).
  ///
  /// - Parameter primary: The primary surface of all runs, or `nil` if each run has its own.
  static func others(in runs: [Analysis], than primary: String?) -> [String] {
    let names = runs.flatMap { run in
      let first = primary ?? run.primarySurface?.name
      return run.surfacesOnScreenInMotion.map(\.name).filter { $0 != first }
    }
    return Set(names).sorted()
  }

  /// Returns a note on the surfaces that the baseline has beside its primary one and no run shows, or `nil`
  /// if there is none. Rules report those that they limit.
  static func noteOnMissing(
    in runs: [Analysis], baseline: [RunValuesByMetric], rules: [Budget.Rule]
  ) -> VerdictNote? {
    let prefix = MetricSubject.surface("").text
    let names = Set(baseline.flatMap { $0.values.keys }).sorted().filter { key in
      key.hasPrefix(prefix) && !rules.contains { $0.subject.text == key }
    }.map { String($0.dropFirst(prefix.count)) }
    let missing = names.filter { name in
      let pattern = NamePattern(name)
      return !runs.contains { run in
        run.surfaces.contains { $0.isOnScreen && pattern.matches($0.name) }
      }
    }
    guard !missing.isEmpty else { return nil }
    let listed = missing.map { "'\($0)'" }.listed()
    return VerdictNote(
      .baseline, .warning,
      (missing.count == 1 ? "surface \(listed) is" : "surfaces \(listed) are")
        + " in the baseline, but in none of these runs")
  }
}

extension Analysis {
  /// The selected surfaces that were on screen and had frames in motion (M-24).
  var surfacesOnScreenInMotion: [SurfaceAnalysis] {
    selectedSurfaces.filter {
      $0.isOnScreen && $0.measuredTime.kind == .interaction && $0.countsInMotion.total ?? 0 > 0
    }
  }
}
