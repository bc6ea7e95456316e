package import ScrollTraceModel

extension Analysis {
  /// Returns the stacks of the hitches, or of the whole recording: the open spans and, inside them,
  /// the sampled functions. Without samples, the spans alone.
  ///
  /// - Parameter onlyHitches: Whether only the windows of hitches count.
  /// - Returns: The profile, or `nil` if there is no thread whose work or samples are known.
  package func stackProfile(onlyHitches: Bool) -> StackProfile? {
    let windows: [TimeRange] =
      onlyHitches
      ? selectedSurfaces.flatMap(\.hitches).filter { $0.lengthInMotion > .zero }
        .compactMap { $0.chargedAttribution?.window } : [trace.range]
    return stackProfiles(
      of: [TimeRangeSet(union: windows)], title: onlyHitches ? "hitches" : "whole recording"
    ).first
  }

  /// Returns the stacks of some windows each, or none if there is no thread whose work or samples are
  /// known.
  func stackProfiles(of sets: [TimeRangeSet], title: String) -> [StackProfile] {
    guard let track = samples?.timeline.series.track ?? trace.mainTrack else { return [] }
    let all = TimeRangeSet(union: sets.flatMap(\.ranges))
    let workload = TrackWorkload(of: trace, in: all, timestamps: nil)
    let attributor = track == trace.mainTrack ? Attributor(of: trace, workload) : nil
    return sets.map { windows in
      var profile = StackProfile(thread: trace.displayName(of: track), title: title)
      for window in windows.ranges {
        add(window, attributor?.spanStacks(in: window) ?? [], to: &profile)
      }
      return profile
    }
  }

  /// Adds the spans of a window, each cut where the sampled stack changes.
  private func add(_ window: TimeRange, _ spans: [SpanStack], to profile: inout StackProfile) {
    var cells: [(start: Int64, end: Int64, stack: StackID)] = []
    if let timeline = samples?.timeline {
      timeline.cells.forEach(in: window) { index, start, end in
        cells.append((start, end, timeline.series.stack(at: index)))
      }
    }
    let hasSamples = samples != nil
    var (now, span, cell) = (window.start.nanoseconds, 0, 0)
    let end = window.end.nanoseconds
    while now < end {
      while span < spans.count, spans[span].end <= now { span += 1 }
      while cell < cells.count, cells[cell].end <= now { cell += 1 }
      var limit = end
      var path = -1
      if span < spans.count {
        let isOpen = spans[span].start <= now
        limit = min(limit, isOpen ? spans[span].end : spans[span].start)
        if isOpen {
          for label in spans[span].labels {
            let text = [trace.category(of: label), trace.name(of: label)].filter { !$0.isEmpty }
              .joined(separator: "/")
            path = profile.path(StackProfile.Frame(name: text, isSpan: true), calledBy: path)
          }
        }
      }
      if path < 0 {
        path = profile.path(.unrecorded, calledBy: path)
      }
      if cell < cells.count {
        let isSampled = cells[cell].start <= now
        limit = min(limit, isSampled ? cells[cell].end : cells[cell].start)
        path = add(isSampled ? cells[cell].stack : nil, below: path, to: &profile)
      } else if hasSamples {
        path = add(nil, below: path, to: &profile)
      }
      profile.add(path, from: Timestamp(clamping: now), lasting: TimeSpan(nanoseconds: limit - now))
      now = limit
    }
  }

  /// Returns the path of a sampled stack below `path`, or of time without a sample.
  private func add(_ stack: StackID?, below path: Int, to profile: inout StackProfile) -> Int {
    guard let stack else {
      return profile.path(StackProfile.Frame(name: "(not sampled)"), calledBy: path)
    }
    var path = path
    for function in trace.stackTree.path(of: stack) {
      let module = function.module == .empty ? nil : trace.strings[function.module]
      let frame = StackProfile.Frame(name: trace.strings[function.name], module: module)
      path = profile.path(frame, calledBy: path)
    }
    return path
  }
}

/// The spans that are open in a part of a window, outermost first.
struct SpanStack {
  let start: Int64
  let end: Int64
  let labels: [LabelID]

  /// The most spans of a stack.
  static let maximumDepth = 256
}
