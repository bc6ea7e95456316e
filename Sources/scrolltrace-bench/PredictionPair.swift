internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder

/// Two engines that differ in one respect, and the proposed change that predicts the second from
/// the first.
struct PredictionPair: Sendable {
  /// The name of the difference.
  let name: String
  /// The changes predicted from the recording of the first engine.
  let changes: [ProposedChange]
  /// Configures a feed for which the difference matters.
  let prepare: @Sendable (inout EngineConfiguration) -> Void
  /// Applies the difference to the second engine.
  let change: @Sendable (inout EngineConfiguration) -> Void
  /// A periodic change of the items, or `nil` for none.
  var update: (every: Nanoseconds, change: ListUpdate.ProposedChange)?

  /// The assumption of the prediction that does not hold, or `nil` if it is expected to be
  /// accurate.
  var failingAssumption: String?

  /// The first engine of the run `seed`.
  func before(seed: UInt64) -> EngineConfiguration {
    var configuration = EngineConfiguration(
      content: ListContent(feedOf: 4_000, seed: seed, percentOfPhotos: 0))
    prepare(&configuration)
    return configuration
  }

  /// Returns the second engine.
  func after(seed: UInt64) -> EngineConfiguration {
    var configuration = before(seed: seed)
    change(&configuration)
    return configuration
  }

  /// Returns the script that both play.
  func script(seed: UInt64, length: Nanoseconds) -> ScrollScript {
    var script = ScrollScript.reading(for: length, seed: seed)
    if let update {
      script.updates = stride(from: 200_000_000, to: length, by: Int(update.every)).map {
        ListUpdate(at: Nanoseconds($0), update.change)
      }
    }
    return script
  }

  private static let millisecond: Nanoseconds = 1_000_000

  /// Makes half of all items photos, with prefetched data.
  private static func photos(_ configuration: inout EngineConfiguration) {
    configuration.content = ListContent(
      feedOf: 4_000, seed: configuration.content.items.first.map { $0.id.number } ?? 1,
      percentOfPhotos: 50)
  }

  /// All pairs.
  static let all: [PredictionPair] = [
    PredictionPair(name: "cells on demand -> in spare time", changes: [.prepareWhenIdle]) {
      $0.columns = 3
      $0.cellsKept = 18
      $0.costs.configureText = 4 * millisecond
    } change: {
      $0.policies.cells = .idle
    },
    PredictionPair(name: "cells on demand -> one ahead", changes: [.prepareOneAhead]) {
      $0.columns = 3
      $0.cellsKept = 18
      $0.costs.configureText = 4 * millisecond
    } change: {
      $0.policies.cells = .oneAhead
    },
    PredictionPair(name: "data on demand -> ahead", changes: [.loadInBackground]) {
      $0.columns = 2
      $0.costs.readData = 7 * millisecond
    } change: {
      $0.policies.data = .ahead
    },
    PredictionPair(name: "images main -> background", changes: [.decodeInBackground]) {
      photos(&$0)
    } change: {
      $0.policies.images = .background
    },
    PredictionPair(name: "images main -> thumbnails", changes: [.decodeInBackground]) {
      photos(&$0)
    } change: {
      $0.policies.images = .thumbnails
    },
    PredictionPair(
      name: "items reloaded -> reconfigured", changes: [.reconfigureItems],
      prepare: { $0.policies.updates = .reload }, change: { $0.policies.updates = .reconfigure },
      update: (190 * millisecond, .change(9)),
      failingAssumption:
        "to put new content into a cell costs what configuring a new one does (the recording holds"
        + " none; the engine takes a quarter of it)"),
    PredictionPair(
      name: "snapshots reloaded -> differences", changes: [.applyDifferences],
      prepare: { $0.policies.snapshots = .reload },
      change: { $0.policies.snapshots = .differences },
      update: (270 * millisecond, .insert(2, at: 3_000))),
    PredictionPair(name: "registrations per cell -> once", changes: [.reuseCells]) {
      $0.policies.registrations = .perCell
      $0.costs.create = 15 * millisecond
    } change: {
      $0.policies.registrations = .once
    },
    PredictionPair(
      name: "60 Hz -> 120 Hz", changes: [.refreshInterval(TimeSpan(nanoseconds: 8_333_333))]
    ) {
      $0.columns = 2
      $0.costs.configureText = 9 * millisecond
    } change: {
      $0.rates = [.init(from: 0, hertz: 120)]
    },
    PredictionPair(
      name: "120 Hz -> 60 Hz", changes: [.refreshInterval(TimeSpan(nanoseconds: 16_666_667))]
    ) {
      $0.columns = 2
      $0.costs.configureText = 8 * millisecond
      $0.rates = [.init(from: 0, hertz: 120)]
    } change: {
      $0.rates = [.init(from: 0, hertz: 60)]
    },
    PredictionPair(
      name: "configuring cells half the price",
      changes: [
        .speedup(WorkName(category: "scrolltrace.cell", name: "configure"), percent: 50)
      ]
    ) {
      $0.columns = 2
      $0.costs.configureText = 9 * millisecond
    } change: {
      $0.costs.configureText = $0.costs.configureText / 2
    },
    PredictionPair(
      name: "cells in spare time, data ahead",
      changes: [.prepareWhenIdle, .loadInBackground]
    ) {
      $0.columns = 3
      $0.cellsKept = 18
      $0.costs.readData = 5 * millisecond
    } change: {
      $0.policies.cells = .idle
      $0.policies.data = .ahead
    },
    PredictionPair(
      name: "cells in spare time, images in the background",
      changes: [.prepareWhenIdle, .decodeInBackground]
    ) {
      photos(&$0)
      $0.costs.create = 6 * millisecond
    } change: {
      $0.policies.cells = .idle
      $0.policies.images = .background
    },
  ]
}
