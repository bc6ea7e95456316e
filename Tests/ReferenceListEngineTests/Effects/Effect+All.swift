import ReferenceListEngine

extension Effect {
  /// All effects, in the order of the rows.
  static let all: [Effect] = frames + cells + data + changes + sizes

  private static let millisecond: Int64 = 1_000_000

  private static func photos(_ setup: inout Setup) {
    setup.engine.content = ListContent(feedOf: 1_000, seed: 5, percentOfPhotos: 60)
  }

  /// Every cost of a cell, in percent.
  private static func scaleCells(_ setup: inout Setup, _ percent: Int64) {
    for path: WritableKeyPath<CostModel, Int64> in [
      \.configureText, \.configurePhoto, \.create, \.size, \.dequeue, \.prepareForReuse,
    ] {
      setup.engine.costs[keyPath: path] = setup.engine.costs[keyPath: path] * percent / 100
    }
  }

  private static func update(
    _ setup: inout Setup, every step: Int64, _ change: ListUpdate.ProposedChange
  ) {
    setup.script.updates = stride(
      from: 300 * millisecond, to: setup.script.duration, by: Int(step)
    ).map { ListUpdate(at: $0, change) }
  }

  // MARK: - Frames

  private static let frames: [Effect] = [
    Effect(
      row: "S-1", claim: "the deadline depends on the rate: 60 → 120 Hz", measure: .misses,
      direction: .rises,
      base: {
        $0.engine.columns = 2
        $0.engine.costs.configureText = 3 * millisecond
      },
      change: { $0.engine.rates = [.init(from: 0, hertz: 120)] },
      limit: "all work fits 8.3 ms", limitBase: { scaleCells(&$0, 20) }),
    Effect(
      row: "S-2", claim: "a late commit keeps the old frame: configuring takes 1.4 → 20 ms",
      measure: .hitchTime, direction: .rises,
      base: {
        $0.script = ScrollScript(steps: [
          .rest(150 * millisecond), .drag(velocity: 500_000, for: 2_000 * millisecond),
        ])
      },
      change: { $0.engine.costs.configureText = 20 * millisecond },
      limit: "a refresh takes 41.7 ms",
      limitBase: { $0.engine.rates = [.init(from: 0, hertz: 24)] }),
    Effect(
      row: "S-3", claim: "a long commit when a cell comes in, then short ones: cells free → usual",
      measure: .peak, direction: .rises, factor: 2, base: { scaleCells(&$0, 0) },
      change: {
        let usual = CostModel()
        $0.engine.costs.configureText = usual.configureText
        $0.engine.costs.create = usual.create
        $0.engine.costs.size = usual.size
      },
      limit: "the rest of a commit takes ten times its usual cost",
      limitBase: {
        $0.engine.costs.commit *= 10
        $0.engine.costs.layout *= 10
      }),
    Effect(
      row: "S-15", claim: "work done ahead leaves headroom: everything on demand → ahead",
      measure: .headroom, direction: .rises,
      base: {
        photos(&$0)
        $0.engine.columns = 2
      },
      change: { $0.engine.policies = .best },
      limit: "cells and images cost a tenth",
      limitBase: {
        scaleCells(&$0, 10)
        $0.engine.costs.readOfKilobyte /= 10
        $0.engine.costs.decodeOfKilopixel /= 10
      }),
    Effect(
      row: "S-17", claim: "each kind of interaction has its own ratio: a drag, slow → fast",
      measure: .ratio(of: "drag"), direction: .rises,
      base: {
        $0.engine.costs.configureText = 20 * millisecond
        $0.script = ScrollScript(steps: [
          .rest(150 * millisecond), .drag(velocity: 200_000, for: 1000 * millisecond),
          .rest(200 * millisecond), .paging(pages: 2, for: 800 * millisecond),
        ])
      },
      change: { $0.script.steps[1] = .drag(velocity: 1_500_000, for: 1000 * millisecond) },
      limit: "cells cost a tenth", limitBase: { scaleCells(&$0, 10) }),
  ]

  // MARK: - Cells

  private static let cells: [Effect] = [
    Effect(
      row: "S-4", claim: "hidden cells serve new items: no scroll → scroll", measure: .reuse,
      direction: .falls,
      base: {
        $0.engine.policies.cells = .onDemand
        $0.script = ScrollScript(steps: [.rest(500 * millisecond)])
      },
      change: { $0.script = .reading(for: 4_000 * millisecond, seed: 3) },
      limit: "all cells are kept",
      limitBase: {
        $0.engine.policies.cells = .oneAhead
        $0.engine.cellsKept = 1_000
      }),
    Effect(
      row: "S-5", claim: "one cell per frame, ahead, instead of a line of three in one frame",
      measure: .longestCommit, direction: .falls,
      base: {
        $0.engine.columns = 3
        $0.engine.cellsKept = 24
        $0.engine.costs.configureText = 4 * millisecond
        $0.script = ScrollScript(steps: [
          .rest(150 * millisecond), .drag(velocity: 500_000, for: 2_000 * millisecond),
        ])
      },
      change: { $0.engine.policies.cells = .oneAhead },
      limit: "a line is one cell", limitBase: { $0.engine.columns = 1 }),
    Effect(
      row: "S-6", claim: "cells in the spare time after short commits, instead of on demand",
      measure: .hitchTime, direction: .falls,
      base: {
        $0.engine.columns = 3
        $0.engine.cellsKept = 24
        $0.engine.costs.configureText = 6 * millisecond
        $0.script = ScrollScript(steps: [
          .rest(150 * millisecond), .drag(velocity: 500_000, for: 2_000 * millisecond),
        ])
      },
      change: { $0.engine.policies.cells = .idle },
      limit: "a cell takes 40 ms, more than two refreshes",
      limitBase: { $0.engine.costs.configureText = 40 * millisecond }),
    Effect(
      row: "S-7", claim: "a fast scroll leaves no time to prepare: 600 → 6 000 points per second",
      measure: .ahead, direction: .falls,
      base: {
        $0.engine.policies.cells = .idle
        $0.script = ScrollScript(steps: [
          .rest(150 * millisecond), .drag(velocity: 600_000, for: 1_500 * millisecond),
        ])
      },
      change: {
        $0.script.steps[1] = .drag(velocity: 6_000_000, for: 1_500 * millisecond)
      },
      limit: "no limit of speed, and 240 refreshes a second with a tenth of the work",
      limitBase: {
        $0.engine.rates = [.init(from: 0, hertz: 240)]
        $0.engine.fastScroll = .max
        scaleCells(&$0, 10)
        for path: WritableKeyPath<CostModel, Int64> in [
          \.event, \.update, \.layout, \.layoutOfRow, \.commit, \.commitOfRow,
        ] {
          $0.engine.costs[keyPath: path] /= 10
        }
      }),
    Effect(
      row: "S-11", claim: "one registration, instead of one per cell", measure: .hitchTime,
      direction: .falls,
      base: {
        $0.engine.policies.registrations = .perCell
        $0.engine.costs.create = 16 * millisecond
      },
      change: { $0.engine.policies.registrations = .once },
      limit: "creating a cell costs no more than reusing one",
      limitBase: {
        $0.engine.costs.create = $0.engine.costs.dequeue + $0.engine.costs.prepareForReuse
      }),
  ]

  // MARK: - Data and images

  private static let data: [Effect] = [
    Effect(
      row: "S-8", claim: "data requested ten lines ahead, instead of on demand",
      measure: .placeholders, direction: .falls, base: photos,
      change: {
        $0.engine.policies.data = .ahead
        $0.engine.policies.images = .main
      },
      limit: "data takes 900 ms to come, longer than ten lines",
      limitBase: { $0.engine.costs.latency = 900 * millisecond }),
    Effect(
      row: "S-9", claim: "the panel: cells in spare time, data in the background",
      measure: .hitchTime, direction: .falls,
      base: {
        $0.engine = SciencePanel.runs[0].configuration
        $0.script = SciencePanel.script
      },
      change: { $0.engine.policies = SciencePanel.runs[2].policies },
      limit: "configuring a cell takes 40 ms",
      limitBase: { $0.engine.costs.configureText = 40 * millisecond }),
    Effect(
      row: "S-13", claim: "results applied to items, instead of to captured cells",
      measure: .wrong, direction: .falls,
      base: {
        photos(&$0)
        $0.engine.policies.updates = .captured
        $0.engine.policies.images = .background
        $0.engine.costs.latency = 600 * millisecond
        $0.engine.loaders = 4
      },
      change: { $0.engine.policies.updates = .reconfigure },
      limit: "results come before a cell can leave the view",
      limitBase: {
        $0.engine.costs.latency = 0
        $0.engine.costs.downloadOfKilobyte = 0
        $0.engine.costs.readOfKilobyte = 0
        $0.engine.costs.decodeOfKilopixel = 0
      }),
    Effect(
      row: "S-14", claim: "images decoded in the background, instead of in the commit",
      measure: .hitchTime, direction: .falls, base: photos,
      change: { $0.engine.policies.images = .background },
      limit: "decoding costs a tenth",
      limitBase: {
        $0.engine.costs.readOfKilobyte /= 10
        $0.engine.costs.decodeOfKilopixel /= 10
      }),
    Effect(
      row: "S-14", claim: "thumbnails, instead of whole images in the background",
      measure: .backgroundBusy, direction: .falls,
      base: {
        photos(&$0)
        $0.engine.policies.images = .background
        $0.engine.imageCacheBytes = 1 << 30
      },
      change: { $0.engine.policies.images = .thumbnails },
      limit: "images are displayed at their full size",
      limitBase: { $0.engine.imageSize = ImageSize(width: 400, height: 400, scale: 3) }),
  ]

  // MARK: - Changes of the items

  private static let changes: [Effect] = [
    Effect(
      row: "S-10", claim: "snapshots applied as differences, instead of reloads",
      measure: .hitchTime, direction: .falls,
      base: {
        $0.engine.policies.snapshots = .reload
        update(&$0, every: 270 * millisecond, .insert(2, at: 900))
      },
      change: { $0.engine.policies.snapshots = .differences },
      limit: "the differences of 60 000 items cost more than new cells",
      limitBase: { $0.engine.content = ListContent(feedOf: 60_000, seed: 1, percentOfPhotos: 0) }),
    Effect(
      row: "S-12", claim: "items reconfigured in place, instead of reloaded",
      measure: .hitchTime, direction: .falls,
      base: {
        $0.engine.policies.updates = .reload
        update(&$0, every: 190 * millisecond, .change(9))
      },
      change: { $0.engine.policies.updates = .reconfigure },
      limit: "configuring costs 8 ms: the handler runs again either way",
      limitBase: { $0.engine.costs.configureText = 8 * millisecond }),
  ]

  // MARK: - Sizes

  private static let sizes: [Effect] = [
    Effect(
      row: "S-16", claim: "sizes estimated by the running average, instead of a fixed 44 points",
      measure: .sizeError, direction: .falls,
      base: { $0.engine.sizing = .estimate(44_000) },
      change: { $0.engine.sizing = .runningAverage(first: 44_000) },
      limit: "the fixed estimate is the true average",
      limitBase: { $0.engine.sizing = .estimate(96_000) }),
    Effect(
      row: "S-16", claim: "a wrong estimate costs layouts: exact → estimated sizes",
      measure: .correction, direction: .rises, base: { $0.engine.sizing = .exact },
      change: { $0.engine.sizing = .estimate(44_000) },
      limit: "a layout costs nothing",
      limitBase: {
        $0.engine.costs.layout = 0
        $0.engine.costs.layoutOfRow = 0
        $0.engine.costs.moveOfLine = 0
      }),
  ]
}
