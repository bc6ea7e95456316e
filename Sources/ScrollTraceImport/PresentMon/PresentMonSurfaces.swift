import ScrollTraceLayout
import ScrollTraceModel

/// Turns swap chains into surfaces, and what was done for their frames into work.
struct PresentMonSurfaces {
  private let chains: [PresentMonChain]
  private let names: [String]
  /// The chain with most frames; the desktop's own only where there is no other.
  private let host: Int?

  /// The surfaces of `chains`, each named after its application, and more where that is not enough.
  init(_ chains: [PresentMonChain]) {
    self.chains = chains
    var processes: [String: Set<UInt64>] = [:]
    var chainCounts: [UInt64: Int] = [:]
    for chain in chains {
      processes[chain.application, default: []].insert(chain.processID)
      chainCounts[chain.processID, default: 0] += 1
    }
    names = chains.map { chain in
      var name = chain.application.isEmpty ? "process \(chain.processID)" : chain.application
      if !chain.application.isEmpty, processes[chain.application, default: []].count > 1 {
        name += " (\(chain.processID))"
      }
      if chainCounts[chain.processID, default: 0] > 1 { name += " \(chain.address)" }
      return name
    }
    let ranks = chains.enumerated().map { index, chain in
      (chain.application.lowercased() == "dwm.exe" ? 0 : 1, chain.frames.count, -index)
    }
    host = ranks.indices.max { ranks[$0] < ranks[$1] }
  }

  /// Adds all surfaces to `builder`.
  func add(to builder: inout TraceBuilder) {
    let category = builder.string("\(Vocabulary.Category.frame)")
    for (index, chain) in chains.enumerated() {
      let process = builder.process(chain.processID)
      builder.setName(chain.application, of: process)
      let track = builder.track(UInt64(index + 1), of: process)
      builder.setName("presenting to \(names[index])", of: track)
      if index == host {
        builder.setHost(process)
        builder.setMain(track)
      }
      let label = builder.label(category: category, name: builder.string(names[index]))
      let surface = builder.surface(names[index])
      for (number, row) in chain.frames.enumerated() {
        var frame = Self.frame(row, number: UInt64(number + 1))
        if let start = frame.commitStart, let end = frame.commitEnd {
          frame.track = track
          builder.addSpan(on: track, from: start, to: end, label: label)
        }
        builder.updateFrame(frame, of: surface)
      }
    }
  }

  /// A row as a frame; a begin before the clock's zero is unknown.
  private static func frame(_ row: PresentMonFrame, number: UInt64) -> Frame {
    var frame = Frame(id: number)
    frame.start = row.start.value.flatMap(Timestamp.init)
    frame.commitStart = frame.start
    frame.commitEnd = row.present.value.flatMap(Timestamp.init)
    frame.presented =
      (row.present + row.untilDisplayed).known(or: row.start + row.latency).value
      .flatMap(Timestamp.init)
    frame.outcome = row.outcome
    return frame
  }
}
