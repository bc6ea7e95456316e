import ScrollTraceKit

/// The tables of what the analysis found.
extension TraceTable {
  static let interactions = TraceTable(
    "interactions",
    [
      "interaction_key", "surface", "kind", "name", "start_ns", "end_ns", "hitch_time_ns",
      "is_finished",
    ]
  ) { material, rows in
    for (key, (surface, interaction)) in material.interactions.enumerated() {
      rows.add(key + 1)
      rows.add(surface.name)
      rows.add(interaction.kind)
      rows.add(interaction.name)
      rows.add(material.time(interaction.range.start))
      rows.add(material.time(interaction.range.end))
      rows.add(interaction.hitchTime?.nanoseconds)
      rows.add(interaction.isFinished)
    }
  }

  static let hitches = TraceTable(
    "hitches",
    [
      "hitch_key", "surface", "frame_key", "interaction_key", "frame", "kind", "severity",
      "start_ns", "end_ns", "hitch_ns", "hitch_in_motion_ns", "refreshes_missed",
      "delayed_by_frame", "is_estimated",
    ]
  ) { material, rows in
    for (key, (surface, hitch)) in material.hitches.enumerated() where !rows.hasFailed {
      rows.add(key + 1)
      rows.add(surface.name)
      rows.add(hitch.frameIndex.map { material.key(ofFrame: $0, on: surface.surface) })
      rows.add(material.interactionKey(of: hitch, on: surface))
      rows.add(hitch.frame)
      rows.add(hitch.kind.rawValue)
      rows.add(hitch.severity?.rawValue)
      rows.add(material.time(hitch.range.start))
      rows.add(material.time(hitch.range.end))
      rows.add(hitch.length.nanoseconds)
      rows.add(hitch.lengthInMotion.nanoseconds)
      rows.add(hitch.refreshesMissed)
      rows.add(hitch.delayedByFrame)
      rows.add(hitch.isEstimated)
    }
  }

  static let causes = TraceTable(
    "causes", ["hitch_key", "kind", "category", "name", "item", "time_ns", "share"]
  ) { material, rows in
    for (key, (_, hitch)) in material.hitches.enumerated() where !rows.hasFailed {
      guard let attribution = hitch.chargedAttribution else { continue }
      let window = Double(max(1, attribution.window.length.nanoseconds))
      func add(_ kind: String, _ time: TimeSpan, _ cause: Attribution.Cause? = nil) {
        rows.add(key + 1)
        rows.add(kind)
        rows.add(cause?.category)
        rows.add(cause?.name)
        rows.add(cause?.item)
        rows.add(time.nanoseconds)
        rows.add(Double(time.nanoseconds) / window)
      }
      for cause in attribution.causes { add("work", cause.selfTime, cause) }
      for (kind, time) in attribution.rest where time > .zero { add("\(kind)", time) }
    }
  }
}

extension TableMaterial {
  /// The interactions of each evaluated surface, in the order of their keys.
  fileprivate var interactions: [(SurfaceAnalysis, InteractionAnalysis)] {
    run.surfaces.flatMap { surface in surface.interactions.map { (surface, $0) } }
  }

  /// The hitches of each evaluated surface, in the order of their keys.
  fileprivate var hitches: [(SurfaceAnalysis, Hitch)] {
    run.surfaces.flatMap { surface in surface.hitches.map { (surface, $0) } }
  }

  /// The key of the first interaction in which a hitch is visible.
  fileprivate func interactionKey(of hitch: Hitch, on surface: SurfaceAnalysis) -> Int? {
    var first = 1
    for other in run.surfaces {
      if other.surface == surface.surface {
        return other.interactions.firstIndex {
          $0.range.start < hitch.range.end && hitch.range.start < $0.range.end
        }.map { first + $0 }
      }
      first += other.interactions.count
    }
    return nil
  }
}
