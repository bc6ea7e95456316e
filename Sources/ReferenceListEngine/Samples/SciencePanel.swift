/// One script of somebody who scrolls, played under three policies.
///
/// A grid of three columns whose items are read on the main thread. First each line is prepared in
/// the frame that shows it: a line is displayed eight times, and eight frames are dropped. Then
/// the cells are prepared one by one, in the time that short commits leave: no frame is dropped, and
/// the main thread works about as much as before. At last the data is read ahead by another thread as well:
/// no frame is dropped, and the main thread works less.
package enum SciencePanel {
  package static let script = ScrollScript(steps: [
    .rest(150_000_000), .drag(velocity: 600_000, for: 1_350_000_000), .rest(150_000_000),
  ])

  /// What is compared with each other, in order.
  package static let runs: [Run] = [
    Run(name: "panel-1-on-demand", title: "cells on demand, data read on the main thread"),
    Run(name: "panel-2-spare-time", title: "cells in spare time, data read on the main thread") {
      $0.cells = .idle
    },
    Run(name: "panel-3-background", title: "cells in spare time, data read in the background") {
      $0.cells = .idle
      $0.data = .ahead
    },
  ]

  /// The script under one set of policies.
  package struct Run: Sendable {
    package let name: String
    /// What is done where.
    package let title: String
    package let policies: EnginePolicies

    /// A run whose policies differ from the usual ones by `change`.
    init(name: String, title: String, _ change: (inout EnginePolicies) -> Void = { _ in }) {
      self.name = name
      self.title = title
      var policies = EnginePolicies()
      change(&policies)
      self.policies = policies
    }

    /// The sample that shows it.
    package var sample: SampleTrace {
      SampleTrace(name: name, configuration: configuration, script: script)
    }

    /// The engine that plays it.
    package var configuration: EngineConfiguration {
      var configuration = EngineConfiguration(
        content: ListContent(feedOf: 120, seed: 9, percentOfPhotos: 0))
      configuration.columns = 3
      configuration.policies = policies
      configuration.cellsKept = 6
      configuration.linesPreparedAhead = 1
      configuration.linesLoadedAhead = 5
      configuration.loaders = 1
      configuration.costs.readData = 3_600_000
      configuration.costs.configureText = 1_100_000
      configuration.costs.create = 600_000
      return configuration
    }
  }
}
