import ScrollTraceModel

/// Hitches after commits that met their deadline.
struct RenderHitches: FindingRule {
  static let id = FindingID.renderHitches

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.flatMap { surface in
      groups(of: surface, in: context).filter { $0.hitches.isEnough(of: surface) }.map { found in
        var group = found
        group.meanwhile = WorkMeanwhile(in: group.gaps, on: surface, context)
        return finding(
          of: .surface(surface.name), group.hitches.measures(total: group.hitches.length), group,
          in: context, whole: surface.hitchTime)
      }
    }
  }

  /// What came after the main thread's work.
  fileprivate enum Reason: Hashable {
    case drawing(thread: String, work: String, Hitch.Drawing)
    case noFrame
    /// The app begins a frame after the one time, and the display refreshes after the other.
    case ownRate(TimeSpan, refresh: TimeSpan?)
    case dropped
    /// By less than half of a refresh, at which most displays show nothing.
    case inexact
    case other

    /// Whether frames are late only because they are begun late.
    var isLateBegin: Bool {
      switch self {
      case .noFrame, .ownRate: true
      case .drawing, .dropped, .inexact, .other: false
      }
    }
  }

  fileprivate struct Group {
    let reason: Reason
    /// Whether the user says when something moves, not the recording.
    let isMotionDefined: Bool
    var hitches = HitchGroup()
    /// The times in which no frame was begun, and the work of another thread that fills them.
    var gaps: [TimeRange] = []
    var meanwhile: WorkMeanwhile?
    /// The least time by which the commits were early, or `nil` if unknown.
    var slack: TimeSpan?
    /// The longest time from a frame to the next one, or of drawing, or hitch.
    var longest = TimeSpan.zero
    var labels: Set<String> = []
    /// The names of the drawing work, with the numbers in them.
    var works: Set<String> = []
    /// The largest number of its parts in a frame.
    var parts = 1

    mutating func add(_ hitch: Hitch, _ label: String?) {
      hitches.add(hitch, .zero)
      if let label { labels.insert(label) }
      if let overrun = hitch.overrun, overrun <= .zero {
        slack = min(slack ?? .zero - overrun, .zero - overrun)
      }
      switch hitch.delay {
      case .noFrame(let gap):
        longest = max(longest, gap.length)
        gaps.append(gap)
      case .drawing(_, _, _, let time, _): longest = max(longest, time)
      default: longest = max(longest, hitch.length)
      }
    }
  }

  /// The hitches of a surface after the main thread's work, by what came after it. Refreshes that a steady
  /// rate leaves out on purpose are not among them.
  private func groups(of surface: SurfaceAnalysis, in context: FindingContext) -> [Group] {
    var groups: [Group] = []
    let steadyTime = surface.steadyTime
    var steadyCount = 0
    for hitch in surface.countedHitches
    where hitch.isAfterCommit && !context.isEcho(hitch, of: surface) {
      let reason: Reason
      switch hitch.delay {
      case .drawing(let thread, let label, _, _, let drawing):
        reason = .drawing(
          thread: context.trace.tracks[thread.index].displayName,
          work: drawing == .gpu ? "" : NameTemplate.name(of: label, in: context.trace), drawing)
      case .noFrame: reason = .noFrame
      case .ownRate(let spacing):
        reason = .ownRate(spacing, refresh: surface.refreshInterval)
      case .dropped: reason = .dropped
      default: reason = isInexact(hitch, of: surface, in: context) ? .inexact : .other
      }
      if reason.isLateBegin, steadyTime.index(containing: hitch.range.start) != nil {
        steadyCount += 1
        continue
      }
      let index = groups.firstIndex { $0.reason == reason } ?? groups.count
      if index == groups.count {
        groups.append(
          Group(reason: reason, isMotionDefined: context.options.namesInteractions))
      }
      groups[index].add(hitch, hitch.sourceLabel.flatMap { $0 == "None" ? nil : $0 })
      if case .drawing(_, let label, let parts, _, _) = hitch.delay {
        groups[index].works.insert(context.trace.name(of: label))
        groups[index].parts = max(groups[index].parts, parts)
      }
    }
    return groups.filter { !$0.reason.isLateBegin || $0.hitches.count > steadyCount }
  }

  /// Whether a hitch is shorter than half of a refresh on a display of one rate, and the source does not say that
  /// its times are those of refreshes.
  private func isInexact(
    _ hitch: Hitch, of surface: SurfaceAnalysis, in context: FindingContext
  ) -> Bool {
    guard surface.refreshIntervals.count == 1, let interval = surface.refreshInterval,
      !context.trace.surfaces[surface.surface.index].timesLieOnRefreshGrid
    else { return false }
    return hitch.presented != nil && hitch.length * 2 < interval
  }
}

extension RenderHitches.Group: FindingEvidence {
  private var upTo: Phrase {
    hitches.count > 1 ? "up to \(longest)" : "\(longest)"
  }
  /// The source's own word for all of them, or `nil` if it has none or several.
  private var label: String? { labels.count == 1 ? labels.first : nil }

  /// The name of work with the numbers in it, if they are the same in all hitches.
  private func fullName(of work: String) -> String {
    works.count == 1 ? works.first ?? work : work
  }

  /// The work of a thread, or the thread alone if only the loop around all of its work is known.
  private func subject(_ work: String, on thread: String) -> Phrase {
    WorkName(category: "", name: work).isFrameOfOtherWork
      ? "\(name: thread)" : "'\(name: fullName(of: work))' on \(name: thread)"
  }

  var title: Phrase {
    switch reason {
    case .drawing(let thread, let work, .works):
      subject(work, on: thread) + " makes frames late"
        + (parts > 1 ? ": up to \(parts) in a frame" : "")
    case .drawing(let thread, _, .hasNoCore): "\(name: thread) had no core to draw on"
    case .drawing(let thread, let work, .waits): subject(work, on: thread) + " waits"
    case .drawing(let thread, let work, .waitsForDisk):
      subject(work, on: thread) + " waits for the disk"
    case .drawing(_, _, .gpu): "the GPU makes frames late"
    case .dropped: "finished frames are dropped"
    case .noFrame:
      "no frame is begun for \(upTo)"
        + meanwhile.phrase { " while \($0.work) runs on \(threads: $0.threads)" }
    case .ownRate(let spacing, let refresh):
      "frames start every \(interval: spacing)"
        + refresh.phrase { ", but the display refreshes every \(interval: $0)" }
    case .inexact:
      "pictures are reported late by less than half of a refresh, \(longest) at most"
    case .other: "frames are ready on time and presented late"
    }
  }
  var sentence: Phrase {
    switch reason {
    case .drawing(_, _, let drawing):
      let took: Phrase =
        drawing == .gpu ? "the GPU took" : "the main thread was done in time; drawing then took"
      return
        "\(took) \(upTo) in \(hitches.count, "frame"), which came \(hitches.length) late in all"
    case .noFrame:
      return
        "\(hitches.count, "frame") began \(hitches.length) late in all, although the main thread"
        + " was done with the one before"
    case .ownRate, .dropped, .inexact, .other: break
    }
    let early = slack.phrase { $0 > .zero ? ", ready \($0) early or more," : "" }
    let source = label.phrase { "; the source says: \(name: $0)" }
    return "\(hitches.count, "frame")\(early) came \(hitches.length) late in all\(source)"
  }
  var facts: Finding.Facts {
    var (thread, work, notBegun): (String?, String?, TimeSpan?)
    switch reason {
    case .drawing(let name, let span, let drawing):
      (thread, work) = (name, drawing == .gpu ? span : fullName(of: span))
    case .noFrame:
      (thread, work, notBegun) = (meanwhile?.threads.first, meanwhile?.work.name, longest)
    case .ownRate, .dropped, .inexact, .other: break
    }
    return [
      ("slackNs", .time(slack)), ("notBegunNs", .time(notBegun)), ("thread", .name(thread)),
      ("work", .name(work)),
    ]
  }

  func fix(in toolkit: Toolkit?) -> Phrase {
    switch reason {
    case .drawing(_, _, .hasNoCore):
      "Look at what had the cores: other processes, or the app's own background threads, which then need a"
        + " lower priority. Drawing needs no change."
    case .drawing(_, _, .waits):
      "Draw less, if it waits for the GPU or for a buffer of the display: fewer layers, shadows, masks, blurs and"
        + " large images. If it waits for a lock or a result, have that ready before."
    case .drawing(_, _, .waitsForDisk):
      "Have ready before the scroll what drawing reads: shaders, fonts and images."
    case .drawing(_, let work, .works), .drawing(_, let work, .gpu):
      WorkTopic.fix(ofDrawing: WorkName(category: "", name: work), in: toolkit)
    case .noFrame where meanwhile != nil: meanwhile.phrase { $0.fix(in: toolkit) }
    case .noFrame where isMotionDefined && longest > HitchGroup.longestDelay:
      HitchGroup.fixOfPause
    case .noFrame:
      "Request each frame from the display's own callback, and look for what delays the request:"
        + " late timers, work queued before it, or a display that still holds earlier frames."
    case .ownRate:
      "Request each frame from the display's own callback, at its rate or a whole part of it: a timer of the app's"
        + " own holds some pictures longer than others."
    case .inexact:
      "Most displays show pictures at whole refreshes, so these may be the times of acknowledgments: state how exact"
        + " they are (the surface's tolerance). If the display's rate adapts, look at drawing and the compositor."
    case .dropped, .other:
      "The commits need no change: look at drawing, the compositor and the display. Use fewer"
        + " layers, shadows, masks, blurs and large images."
    }
  }
}

extension Analysis {
  /// What draws in most hitches of the verdict's surface, `'DrawFrames' on RenderThread`, or `nil` if nothing does.
  package var drawingOfMostHitches: String? {
    // A digest has no names.
    guard !isDigest, let hitches = evaluatedPrimarySurface?.countedHitches else { return nil }
    var counts: [String: Int] = [:]
    for case .drawing(let thread, let label, _, _, let drawing)? in hitches.map(\.delay) {
      let (place, work) = (trace.tracks[thread.index].displayName, trace.name(of: label))
      let isThread = WorkName(category: "", name: work).isFrameOfOtherWork
      let name = isThread ? place : "'\(NameTemplate.name(of: label, in: trace))' on \(place)"
      counts[drawing == .gpu ? "the GPU" : name, default: 0] += 1
    }
    return counts.first { $0.value > hitches.count / 2 }?.key
  }
}

extension WorkTopic {
  /// What to do about the work of a thread that draws.
  static func fix(ofDrawing work: WorkName, in toolkit: Toolkit?) -> Phrase {
    switch WorkTopic(work) {
    case .images:
      "Decode fewer and smaller images, at the displayed size\(.decodeImages, of: toolkit), before they are"
        + " displayed, and keep them in a size-limited cache."
    case .shaders: warmUpShaders
    case .textures: uploadLess(in: toolkit)
    default:
      "Draw less: fewer layers, shadows, masks, blurs and large images, and less overdraw."
        + " Have shaders and textures ready before the scroll. The main thread needs no change."
    }
  }
}
