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
        !(explained ?? .zero).isPart(FindingThresholds.explainedShare, of: cause.hitchTime)
      else { return nil }
      let costs = WorkCosts(of: work, in: context)
      let evidence = Evidence(
        cause: cause, work: work, costs: costs, memory: cause.freshMemory(in: context),
        idle: context.idleTime(before: cause.hitches.map(\.attribution.window)),
        cellsPerFrame: costs.flatMap { costs in
          // One of them may be the slow one.
          let typical = (costs.lateMedian ?? .zero) * Int64(costs.lateCount)
          return typical.isPart(0.5, of: costs.late) ? cause.count(of: work, in: context) : nil
        }, waited: cause.waits(in: work).time,
        parts: cause.isWhole ? WorkParts(of: cause, context) : nil,
        sampled: cause.isWhole ? nil : SampledPart(of: cause, context))
      // What it waits for says more.
      let isMostlyWaiting = evidence.waited.isPart(0.5, of: cause.time)
      return finding(
        of: cause, evidence, in: context, certainty: isMostlyWaiting ? .kind : .named)
    }
  }

  private struct Evidence: FindingEvidence {
    let cause: HitchCause
    let work: WorkName
    let costs: WorkCosts?
    let memory: FreshMemory?
    let idle: TimeSpan?
    /// The number of such steps in a late frame, on average, if none of them takes most of the time.
    let cellsPerFrame: Int?
    /// The part of the time in which the work waited.
    let waited: TimeSpan
    /// What is inside the work, if that counts too.
    let parts: WorkParts?
    /// The function that most of the time is in, or `nil` if samples name none.
    let sampled: SampledPart?

    private var median: TimeSpan? { costs?.lateMedian ?? costs?.median }
    private var longest: TimeSpan? { costs?.items.first?.longest }
    private var items: [String] { costs?.items.prefix(3).map(\.name) ?? [] }

    /// The median of all, if one of them alone is in a late frame and takes more than twice that.
    private var others: TimeSpan? {
      costs.flatMap { costs in
        let isOutlier = costs.lateCount == 1 && costs.lateMedian ?? .zero > costs.median * 2
        return isOutlier ? costs.median : nil
      }
    }

    /// Whether the work waited for a quarter of its time.
    private var isWaiting: Bool { waited.isPart(0.25, of: cause.time) }

    /// The number of cells in a late frame if they are many, and each of them fits into a refresh.
    private var crowd: Int? {
      guard let cellsPerFrame, cellsPerFrame >= ExpensiveCells.manyCells, let median,
        let refreshInterval = cause.surface.refreshInterval, median < refreshInterval
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
        cause.surface.refreshInterval.phrase {
          "\(work) takes \(median) in late frames (median),"
            + " \(share: median.share(of: $0)) of a refresh at \(rate: $0); "
        }
      }
      let longestPhrase = longest.phrase { length in
        items.isEmpty ? "" : "; at most \(length), for \(items, "item")"
      }
      let waits: Phrase = isWaiting ? "; it waited \(waited) of that" : ""
      return
        "\(part)it took \(cause.time) in \(cause.hitches.count, "late frame")\(waits)\(longestPhrase)"
        + memory.phrase(\.phrase)
    }
    var facts: Finding.Facts {
      [
        ("medianNs", .time(median)), ("longestNs", .time(longest)), ("items", .names(items)),
        ("calls", .count(costs?.count)), ("idleBeforeNs", .time(idle)),
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
        ? "It waits for \(share: waited.share(of: cause.time)) of its time: get what it waits for"
          + " ahead, and do not wait in a cell. "
        : ""
      let phase = ToolkitTerms.advice(onPhase: work, of: toolkit)
      let memory = memory.phrase(\.fix)
      let first: Phrase =
        phase.phrase { "\(words: $0)" }.ifEmpty(
          WorkTopic.createsViews(work)
            ? WorkTopic.createFewer(in: toolkit) : WorkTopic.fillAhead(in: toolkit))
      return waits + memory + first
        + idle.phrase {
          " Or prepare cells in the \($0) or more that were idle before each of these"
            + " frames\(.prepareAhead, of: toolkit)."
        }
    }
  }
}
