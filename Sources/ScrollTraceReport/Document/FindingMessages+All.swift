import ScrollTraceAnalysis
import ScrollTraceModel

extension FindingMessages {
  /// The messages, one for each of `FindingRules.ids`, in the same order.
  static let all: [FindingMessage] = [
    FindingMessage(
      id: .endlessFrame,
      title: { _ in "a frame never ended" },
      evidence: {
        let samples = $0.details.of.map { " (\(Quantity.count($0, "sample")))" } ?? ""
        return "it was open for \($0.total("")) when the recording ended"
          + $0.work(", mostly in ", "") + samples
      },
      fix: {
        let work =
          $0.work.isEmpty
          ? "Find out what the main thread was doing there"
            + ($0.details.hasSamples ? "" : ", with sampled stacks for example")
          : "Move it off the main thread, postpone it, or split it"
        return "The app hung there, was ended there, or both. \(work)."
      }),
    FindingMessage(
      id: .decodeOnMainThread,
      title: { _ in "images are decoded on the main thread" },
      evidence: {
        "\($0.count("image"))\($0.total(" took ")) in \($0.hitches("late frame"))\($0.longestItem)"
      },
      fix: {
        "Decode in the background before the cell is displayed, at the displayed"
          + " size\($0.term(.decodeImages)), and cache the bitmaps with a limit in bytes."
      }),
    FindingMessage(
      id: .loadOnMainThread,
      title: { _ in "data is loaded on the main thread" },
      evidence: {
        "\($0.count("load"))\($0.total(" took ")) in \($0.hitches("late frame"))\($0.longestItem)"
      },
      fix: {
        "Load in the background, ahead for the next items\($0.term(.prefetchData)), and display a"
          + " placeholder until the data is ready."
      }),
    FindingMessage(
      id: .noReuse,
      title: {
        $0.details.hasRegistrationForEachCell
          ? "every cell has a registration of its own, so none is reused"
          : "cells are not reused"
      },
      evidence: {
        "\($0.count("cell")) created\($0.total(", which took "))"
          + ($0.finding.evidence.hitches > 0
            ? ", some of them in \($0.hitches("late frame"))" : "")
      },
      fix: {
        $0.details.hasRegistrationForEachCell
          ? "Create the registration once, outside the code that provides"
            + " cells\($0.term(.registerCells))."
          : "Dequeue cells by kind, return them when they leave the view, and use few"
            + " kinds\($0.term(.reuseCells))."
      }),
    FindingMessage(
      id: .snapshotReload,
      title: { _ in "snapshots discard all cells" },
      evidence: {
        "\($0.count("snapshot")) gave a new cell to \(Quantity.count($0.details.of ?? 0, "item"))"
          + " that stayed\($0.total(", which took "))"
      },
      fix: {
        "Apply the differences between stable identifiers instead of a reload, also without"
          + " animation\($0.term(.applyDifferences))."
      }),
    FindingMessage(
      id: .reloadInsteadOfReconfigure,
      title: { _ in "items that only change get new cells" },
      evidence: {
        "\($0.count("item")) got a new cell in \(Quantity.count($0.details.of ?? 0, "snapshot"))"
          + " without insertions or deletions\($0.total(", which took "))"
      },
      fix: {
        "Reconfigure the items, so that their cells get the new"
          + " content\($0.term(.reconfigureItem))."
      }),
    FindingMessage(
      id: .preparedOnDemandWhileIdle,
      title: { _ in "cells are prepared only when they are needed" },
      evidence: {
        "\($0.count("cell"))\($0.total(" took ")) in \($0.hitches("late frame")), after commits"
          + " that left \($0.time) of idle time"
      },
      fix: {
        "Prepare the next cells one at a time right after a short commit, in its idle"
          + " time\($0.term(.prepareAhead))."
      }),
    FindingMessage(
      id: .jumps,
      title: { _ in "jumps need many cells at once" },
      evidence: {
        "\($0.count("cell"))\($0.total(" took ")) in \($0.hitches("late frame")), a view or more away"
          + " from the cells before"
      },
      fix: {
        "No list can prepare cells for a jump. Display placeholders first and fill them in over the"
          + " next frames, or jump in two steps: without animation to a place near the"
          + " target\($0.term(.jump)), then scroll the rest."
      }),
    FindingMessage(
      id: .heavyWillDisplay,
      title: { "\($0.work) takes long when cells are displayed" },
      evidence: { "\($0.count("call"))\($0.total(" took ")) in \($0.hitches("late frame"))" },
      fix: { _ in
        "Do this work when the cell is prepared, or in the background. Leave to this moment only"
          + " work that needs the displayed cell."
      }),
    FindingMessage(
      id: .expensiveItem, includesHitchTime: true,
      title: {
        ($0.details.items.count == 1 ? "one item takes" : "a few items take")
          + " many times as long as the others" + $0.work(" (", ")")
      },
      evidence: {
        "\($0.longestItems) took up to \(Quantity.length($0.details.longest ?? .zero))"
          + $0.timesMedian
          + " of \(Quantity.count($0.details.of ?? 0, "item")); \($0.causedHitchTime)"
      },
      fix: { _ in
        "Find out what these items have that the others lack, such as long text, a large image or"
          + " many subviews, and prepare it in the background, cache it or limit it."
      }),
    FindingMessage(
      id: .expensiveCells, includesHitchTime: true,
      title: { "cells are too expensive" + $0.work(" (", ")") },
      evidence: {
        "it\($0.total(" took ")) in \($0.hitches("hitch", "hitches")) and caused \($0.causedHitchTime)"
          + $0.longestCells
      },
      fix: {
        "Halve the time of each cell: compute text, sizes and images ahead, in the"
          + " background\($0.term(.background)), and cache them; use fewer and simpler views, and change only what differs from the"
          + " cell's previous content."
      }),
    FindingMessage(
      id: .longTask, includesHitchTime: true,
      title: {
        if isHang($0) { return "the main thread hung" + ($0.work.isEmpty ? "" : " (\($0.work))") }
        return $0.work.isEmpty ? "unnamed work delays frames" : "\($0.work) delays frames"
      },
      evidence: {
        let category = $0.details.work?.category ?? ""
        let isNamed = !category.isEmpty && !isHang($0) && !category.hasPrefix(Label.reservedPrefix)
        return (isNamed ? "work of '\($0.name(category))'" : "it")
          + ($0.finding.evidence.total == nil ? " was" : $0.total(" took "))
          + " in \($0.hitches("hitch", "hitches")) and caused"
          + " \(Quantity.length($0.finding.evidence.hitchTime)) of hitch time (\($0.share))"
      },
      fix: {
        // A hang is the time without an answer, so there is no work to move.
        isHang($0)
          ? "Find out what blocked the main thread: record spans or samples of its work."
          : fix(of: $0.details.topic, background: $0.term(.background))
      }),
    FindingMessage(
      id: .throttledDevice, includesHitchTime: true,
      title: { _ in "heat or a power mode slows the device down" },
      evidence: {
        "\($0.count("hitch", "hitches"))\($0.total(" in ")) with \($0.name($0.details.state ?? "")):"
          + " \($0.ratio($0.details.ratio)), otherwise"
          + " \($0.ratio($0.details.otherRatio)); \($0.causedHitchTime)"
      },
      fix: { _ in
        "Do less in this state: request a lower frame rate, pause background work, and use simpler"
          + " effects. Compare runs only with the same state."
      }),
    FindingMessage(
      id: .unrecordedCode,
      title: { "\($0.work) delays frames, and no span covers it" },
      evidence: {
        "\($0.total("", " of "))\($0.hitches("hitch", "hitches")) in \($0.count("sample")) (\($0.share))"
      },
      fix: {
        "Move it off the main thread, postpone it, or split it. To see it in every report, wrap it:"
          + " \(spanLine($0))"
      }),
    FindingMessage(
      id: .machineOverloaded,
      title: { _ in "the machine was overloaded" },
      evidence: {
        "in \($0.total("", " of ")) \($0.time) of \($0.hitches("hitch", "hitches"))"
          + " the main thread was ready to run and had no core\($0.threads("; busiest then: "))"
      },
      fix: { _ in
        "Record on a machine with a free core, or gate on CPU time (mainCpuPerFrameNs), which other"
          + " programs hardly change. In the field: fewer and lower-priority threads."
      }),
    FindingMessage(
      id: .backgroundHoldsCores,
      title: {
        $0.details.isCertain
          ? "background threads held the cores that the main thread needed"
          : "background threads may have held the cores that the main thread needed"
      },
      evidence: {
        "in \($0.total("", " of ")) \($0.time) of \($0.hitches("hitch", "hitches")) the main thread was ready"
          + " to run and had no core\($0.threads($0.details.isCertain ? "; busiest then: " : "; spans were open on "))"
      },
      fix: {
        ($0.details.isCertain ? "" : "If these threads compute and do not sleep: ")
          + "Run at most one background job fewer than there are cores, at a lower priority, and only"
          + " for items that are about to be displayed. More background work makes this worse."
      }),
    FindingMessage(
      id: .blockedOnMainThread,
      title: {
        $0.details.of != nil
          ? "the main thread waited for the disk" : "the main thread was blocked"
      },
      evidence: {
        "in \($0.total("", " of ")) \($0.time) of \($0.hitches("hitch", "hitches")) the main thread was blocked"
          + ($0.work.isEmpty ? "" : " in \($0.work)")
          + ($0.details.of.map { ", with \(Quantity.count($0, "page fault")) read from disk" } ?? "")
          + $0.threads("; waited for ")
      },
      fix: {
        $0.details.of != nil
          ? "Read the file on a background queue before it is needed, or keep what is needed in memory."
          : "Do not wait on the main thread: copy what it needs out of the lock, or let the other"
            + " thread hand over its result."
      }),
    FindingMessage(
      id: .lateStart,
      title: { _ in "commits start late" },
      evidence: {
        "in \($0.total("", " of ")) \($0.time) of \($0.hitches("hitch", "hitches")) the frame's time had begun,"
          + " and its commit had not"
      },
      fix: { _ in
        "Start frames from the display's own callback at the highest priority; look for late timers"
          + " and for work that is queued before the frame."
      }),
    FindingMessage(
      id: .hitchesWhileIdle,
      title: {
        "frames are late while the main thread "
          + ($0.work.isEmpty ? "is idle or waits" : "waits in \($0.work)")
      },
      evidence: {
        "\($0.count("hitch", "hitches")) (\($0.share) of all lateness) with a main thread that did"
          + " not work for most of the time\($0.threads("; waited for "))"
      },
      fix: {
        $0.work.isEmpty
          ? "Look for the cause off the main thread: a lock, the disk, another thread or process. Mark"
            + " waits to see them."
          : "Find out what \($0.work) waits for: a lock, the disk, the display, another thread or"
            + " process. Shorten that, or do not wait for it on the main thread."
      }),
    FindingMessage(
      id: .renderHitches,
      title: { _ in "frames are presented late after commits on time" },
      evidence: {
        "\($0.count("frame")) presented late although the commit was on time"
          + " (\($0.share) of all lateness)"
      },
      fix: { _ in
        "The commits need no change. Simplify the drawing: use fewer layers, shadows, masks, blurs"
          + " and large images."
      }),
    FindingMessage(
      id: .unrecordedWork, includesHitchTime: true,
      title: { "most of the hitch time is unrecorded" + $0.work(" (inside ", ")") },
      evidence: {
        "no span \($0.work.isEmpty ? "" : "inside it ")explains most of the time of"
          + " \($0.hitches("hitch", "hitches")), with \($0.causedHitchTime)" + $0.gap
      },
      fix: {
        $0.details.hasSamples
          ? "Look for the functions that ran in the samples of these frames, and record spans around"
            + " them. Until then no change is known to help."
          : "Record spans around the main thread's work there, or sample its stacks with a profiler."
            + " Until then no change is known to help."
      }),
    FindingMessage(
      id: .steadilySlowFrames,
      title: { _ in "frames are steadily slower than the display" },
      evidence: {
        let refresh = $0.details.refreshInterval.map {
          " on a display that refreshes every \(Quantity.interval($0))"
        }
        return "\($0.count("frame")) every \(Quantity.interval($0.details.time ?? .zero))"
          + (refresh ?? "") + $0.total(", for ")
      },
      fix: {
        "Make every frame faster, or request the sustained rate from the"
          + " display\($0.term(.frameRate))."
      }),
    FindingMessage(
      id: .staleResultInReusedCell,
      title: { _ in "stale results are applied to reused cells" },
      evidence: { "\($0.count("result")) arrived for a cell that displayed another item" },
      fix: { _ in
        "Apply results to the data and reconfigure the item, whichever cell displays it. Never set"
          + " them on the cell that requested them."
      }),
    FindingMessage(
      id: .lateData,
      title: { _ in "cells are displayed before their data is loaded" },
      evidence: {
        "\($0.part(of: "cell")) in motion were displayed before their data was ready"
          + $0.total(", for ", " in total")
      },
      fix: {
        "Request the data before the cell is displayed, further ahead the longer it"
          + " takes\($0.term(.prefetchData)), in the order of the items."
      }),
    FindingMessage(
      id: .blankCells,
      title: { _ in "cells show placeholders instead of content" },
      evidence: { values in
        let never = values.details.of ?? 0
        return values.count("placeholder") + values.total(", ", " of blank time")
          + (never > 0 ? "; \(never) never got content" : "")
      },
      fix: { _ in
        "Load and decode ahead of the scroll, the nearest items first, and check that every request"
          + " ends in content or in an error that the cell shows."
      }),
    FindingMessage(
      id: .prefetchNotCancelled,
      title: { _ in "requests continue for items that were passed by" },
      evidence: {
        "\($0.part(of: "request")) ahead continued after items of later requests were displayed"
          + $0.total(", for ", " in total")
      },
      fix: {
        "Cancel requests for items that the scroll turned away"
          + " from\($0.term(.cancelPrefetch)), so that the next items need not wait."
      }),
    FindingMessage(
      id: .prefetchedNeverDisplayed,
      title: { _ in "data is prefetched but never displayed" },
      evidence: { "\($0.part(of: "request")) ahead answered for items that were never displayed" },
      fix: { _ in
        "Prefetch fewer items, the nearest first, and fewer while the scroll is fast."
      }),
    FindingMessage(
      id: .preparedNeverDisplayed,
      title: { _ in "cells are prepared but never displayed" },
      evidence: {
        "\($0.part(of: "cell")) prepared ahead were never displayed"
          + $0.total("; their preparation took ")
      },
      fix: { _ in
        "Prepare fewer cells ahead, stop while the scroll is fast, and keep prepared cells when it"
          + " reverses."
      }),
    FindingMessage(
      id: .inaccurateSizeEstimates,
      title: { _ in "size estimates of cells are far off" },
      evidence: {
        "\($0.part(of: "estimate")) corrected, by \($0.share) of the true size on average"
      },
      fix: {
        "Estimate from the sizes measured so far, with a running average for each kind of"
          + " cell\($0.term(.estimateSizes))."
      }),
    FindingMessage(
      id: .lowHeadroom,
      title: { _ in "commits end close to their deadline" },
      evidence: {
        "one commit in twenty leaves at most \($0.time) of a refresh of"
          + " \(Quantity.interval($0.details.refreshInterval ?? .zero)); \($0.count("commit"))"
          + " left less than a tenth of it"
      },
      fix: { _ in
        "Treat this as a warning: slower devices and faster displays miss deadlines. Move work of"
          + " the longest commits to idle time or to the background."
      }),
    FindingMessage(
      id: .dataLoss,
      title: { _ in "the recording lost data" },
      evidence: { "at least \($0.count("record")) lost" },
      fix: {
        "Give the recording more space, record fewer repetitive events, and finish it last. "
          + ($0.details.time == nil
            ? "The numbers of this recording may be too low."
            : "What is missing is unknown and counts as no hitch.")
      }),
    FindingMessage(
      id: .fewFrames,
      title: { _ in "too few frames to rely on" },
      evidence: { "\($0.count("frame")) evaluated" },
      fix: { _ in
        "Record a longer scroll: at least \(RatedHitches.enoughFrames) frames, several seconds if"
          + " possible."
      }),
  ]

  /// The line with which the host would wrap a function: in Swift for a name such as `Feed.decode(_:)`,
  /// otherwise in C.
  private static func spanLine(_ values: FindingMessage.Values) -> String {
    let name = values.details.work?.name ?? ""
    let plain = name.hasPrefix("specialized ") ? name.dropFirst("specialized ".count) : name[...]
    let text = plain.prefix { !"(\"\\".contains($0) }
    return plain.contains("(")
      ? "recorder.withSpan(\"\(text)\") { … }"
      : "scrolltrace_span_begin(recorder, SCROLLTRACE_NAME(\"\(text)\"), SCROLLTRACE_CATEGORY_WORK,"
        + " SCROLLTRACE_NO_ID)"
  }

  /// Returns the fix of long work about `topic`.
  private static func fix(of topic: WorkTopic?, background: String) -> String {
    switch topic {
    case .text:
      "Shape and measure text ahead, in the background\(background), cache the result for each text, font and"
        + " width, and display less of long texts."
    case .layout:
      "Lay out less in each frame: nest fewer views, leave the layout of what did not change valid,"
        + " and cache measured sizes."
    case .files:
      "Read and write files in the background\(background) before their content is needed, and keep"
        + " what is needed in memory."
    case .cells, nil:
      "Postpone it until nothing moves, move it off the main thread\(background), or split it into"
        + " parts that fit into the idle time of a frame."
    }
  }

  /// Returns a Boolean value indicating whether the source reports a hang instead of work.
  private static func isHang(_ values: FindingMessage.Values) -> Bool {
    values.details.work?.category == "hang"
  }
}
