import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What must hold of every trace: it is like itself, and its parts make up the whole.
@Suite struct SampleIdentityTests {
  /// The sample traces, and the browser's where they are at hand.
  static let paths: [String] = {
    let samples = PackageFiles.url("SampleTraces").path
    let folders =
      [samples, samples + "/Foreign"]
      + (ExtraCases.folder.map { [$0 + "/chromium"] } ?? [])
    return folders.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().map { "\(folder)/\($0)" }
    }
  }()

  /// Traces that can be read, with what is found in them; some files of the folders are none.
  private static let traces = ExtraCases.some(12, of: paths).compactMap { path in
    (try? TraceFile.open(path)).map {
      (path: path, trace: $0, analysis: TraceAnalyzer().analyze($0))
    }
  }

  @Test func `M-20: no trace differs from itself`() {
    #expect(Self.traces.count > (ExtraCases.isThorough ? 20 : 6))
    for (path, trace, analysis) in Self.traces {
      let comparison = Comparison(base: [analysis], new: [TraceAnalyzer().analyze(trace)])
      let differing = [
        comparison.values.values.contains { !$0.isSame }, !comparison.movedWork.isEmpty,
        comparison.categories.contains { !$0.isSame },
        comparison.causes.contains { $0.status != nil || !$0.hitchTime.isSame },
        comparison.lists.contains { !$0.differing.isEmpty },
      ]
      #expect(!differing.contains(true), "\(path) \(differing)")
      #expect(comparison.isOfOneScenario ?? true, "\(path)")
    }
  }

  @Test func `M-5: the parts of a trace add up to the whole, wherever it is cut`() {
    for (path, trace, whole) in Self.traces {
      func analyze(_ change: (inout AnalysisOptions.Selection) -> Void) -> Analysis {
        var options = AnalysisOptions()
        change(&options.selection)
        return TraceAnalyzer(options).analyze(trace)
      }
      for part in ExtraCases.some(1, of: [3, 7] as [Int64]) {
        let cut = TimeSpan(nanoseconds: trace.range.length.nanoseconds / 9 * part)
        let (first, second) = (analyze { $0.to = cut }, analyze { $0.from = cut })
        for (index, surface) in whole.surfaces.enumerated() {
          let (a, b) = (first.surfaces[index], second.surfaces[index])
          let hitches = [a, b, surface].map { $0.hitchTime ?? .zero }
          #expect(hitches[0] + hitches[1] == hitches[2], "\(path) \(surface.name) \(part)")
          #expect(
            a.measuredTime.duration + b.measuredTime.duration == surface.measuredTime.duration,
            "\(path) \(surface.name) \(part)")
          let busy = [first, second, whole].map { $0.work.sums.mainBusy ?? .zero }
          #expect(busy[0] + busy[1] == busy[2], "\(path) \(part)")
        }
      }
    }
  }
}
