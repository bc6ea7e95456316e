import ScrollTraceModel

/// Creating or configuring cells that makes frames late.
struct ExpensiveCells: FindingRule {
  static let id = FindingID.expensiveCells
  /// Half of the cells that a view shows: fewer are a row of a grid.
  fileprivate static let manyCells = 4

  /// The findings that say why so many cells are needed at once.
  private static let explanations: Set<FindingID> = [
    .snapshotReload, .reloadInsteadOfReconfigure, .jumps,
  ]

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      let explained = context.found.filter { Self.explanations.contains($0.id) }
        .map(\.measures.hitchTime).max()
      guard let work = cause.ownWork, WorkTopic(work) == .cells,
        !FindingContext.isPart(
          FindingThresholds.explainedShare, explained ?? .zero, of: cause.hitchTime)
      else { return nil }
      let costs = WorkCosts(of: work, in: context)
      let evidence = Evidence(
        work: work, median: costs?.lateMedian ?? costs?.median, calls: costs?.count,
        longest: costs?.items.first?.longest, items: costs?.items.prefix(3).map(\.name) ?? [],
        hitches: cause.hitches.count, time: cause.time, memory: cause.freshMemory(in: context),
        refreshInterval: cause.surface.refreshInterval,
        idle: context.idleTime(before: cause.hitches.map(\.attribution.window)),
        cellsPerFrame: costs.flatMap { costs in
          // One of them may be the slow one.
          let typical = (costs.lateMedian ?? .zero) * Int64(costs.lateCount)
          return FindingContext.isPart(0.5, typical, of: costs.late)
            ? cause.count(of: work, in: context) : nil
        },
        others: costs.flatMap { costs in
          let isOutlier = costs.lateCount == 1 && costs.lateMedian ?? .zero > costs.median * 2
          return isOutlier ? costs.median : nil
        },
        isCreated: WorkTopic.createsViews(work), waited: cause.waits(in: work).time,
        parts: cause.isWhole ? WorkParts(of: cause, context) : nil,
        sampled: cause.isWhole ? nil : SampledPart(of: cause, context))
      // What it waits for says more.
      let isMostlyWaiting = FindingContext.isPart(0.5, evidence.waited, of: cause.time)
      return finding(
        of: cause, evidence, in: context, certainty: isMostlyWaiting ? .kind : .named)
    }
  }

  private struct Evidence: FindingEvidence {
    let work: WorkName
    let median: TimeSpan?
    let calls: Int?
    let longest: TimeSpan?
    let items: [String]
    let hitches: Int
    let time: TimeSpan
    let memory: FreshMemory?
    let refreshInterval: TimeSpan?
    let idle: TimeSpan?
    /// The number of such steps in a late frame, on average, if none of them takes most of the time.
    let cellsPerFrame: Int?
    /// The median of all, if one of them alone is in a late frame and takes more than twice that.
    let others: TimeSpan?
    let isCreated: Bool
    /// The part of `time` in which the work waited.
    let waited: TimeSpan
    /// What is inside the work, if that counts too.
    let parts: WorkParts?
    /// The function that most of the time is in, or `nil` if samples name none.
    let sampled: SampledPart?

    /// Whether the work waited for a quarter of its time.
    private var isWaiting: Bool { FindingContext.isPart(0.25, waited, of: time) }

    /// The number of cells in a late frame if they are many, and each of them fits into a refresh.
    private var crowd: Int? {
      guard let cellsPerFrame, cellsPerFrame >= ExpensiveCells.manyCells, let median,
        let refreshInterval,
        median < refreshInterval
      else { return nil }
      return cellsPerFrame
    }

    /// How long one takes: the median, unless few of them take most of the time.
    private var length: Phrase {
      cellsPerFrame == nil
        ? longest.phrase { ", up to \($0)" } : median.phrase { ", \($0) each" }
    }

    var title: Phrase {
      if let crowd {
        let detail: Phrase = ": \(crowd) take \(work), \(median ?? .zero) each"
        return "too many cells in one frame" + detail + sampled.phrase { $0.title(after: detail) }
      }
      let detail = parts.phrase(\.titleOfInner).ifEmpty(memory.phrase(\.title))
      let start = others.phrase { others in
        "one cell took too long (\(work), \(median ?? .zero), others \(others))"
      }.ifEmpty("cells take too long (\(work)\(length))")
      return start + detail
        + sampled.phrase { $0.title(after: detail) }
    }
    var sentence: Phrase {
      let part = median.phrase { median in
        refreshInterval.phrase {
          "\(work) takes \(median) in late frames (median),"
            + " \(share: FindingContext.share(median, of: $0)) of a refresh at \(rate: $0); "
        }
      }
      let longestPhrase = longest.phrase { length in
        items.isEmpty ? "" : "; at most \(length), for \(items, "item")"
      }
      let waits: Phrase = isWaiting ? "; it waited \(waited) of that" : ""
      return
        "\(part)it took \(time) in \(hitches, "late frame")\(waits)\(longestPhrase)\(memory.phrase(\.phrase))"
    }
    var facts: Finding.Facts {
      [
        ("medianNs", .time(median)), ("longestNs", .time(longest)), ("items", .names(items)),
        ("calls", .count(calls)), ("idleBeforeNs", .time(idle)),
        ("faultsPerFrame", .count(memory?.faults)), ("waitedNs", .time(waited)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      if crowd != nil {
        return
          "Prepare them one at a time in the frames before\(.prepareAhead, of: toolkit), or have fewer new cells at"
          + " once: smaller steps of updates, and correct sizes from the start. Or make each of them cheaper."
      }
      let waits: Phrase =
        isWaiting
        ? "It waits for \(share: FindingContext.share(waited, of: time)) of its time: get what it waits for"
          + " ahead, and do not wait in a cell. "
        : ""
      let phase = ToolkitTerms.advice(onPhase: work, of: toolkit)
      let memory = memory.phrase(\.fix)
      let first: Phrase =
        phase.phrase { "\(words: $0)" }.ifEmpty(
          isCreated ? WorkTopic.createFewer(in: toolkit) : WorkTopic.fillAhead(in: toolkit))
      return waits + memory + first
        + idle.phrase {
          " Or prepare cells in the \($0) or more that were idle before each of these"
            + " frames\(.prepareAhead, of: toolkit)."
        }
    }
  }
}
