package import ScrollTraceAnalysis
import ScrollTraceSummary
package import ScrollTraceModel

extension Trace {
  /// The kinds of work on the main track without spans that only wrap frames, most time first.
  package var mainWork: [WorkName] {
    guard let main = mainTrack else { return [] }
    let spans = tracks[main.index].spans
    var times: [LabelID: Int64] = [:]
    for index in 0..<spans.count {
      let length = Int64(
        clamping: WideInteger(spans.times[index].end) - WideInteger(spans.times[index].start))
      let label = spans.labels[index]
      times[label] = times[label, default: 0].saturatingAdd(length)
    }
    let roles = WorkRole.roles(of: self)
    let waits = WaitingLabels(of: self)
    return times.filter { label, _ in
      guard !waits[label] else { return false }
      let role = Int(label.rawValue)
      return role < roles.count && roles[role] != .frame
    }
    .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    .map { label, _ in WorkName(category: category(of: label), name: name(of: label)) }
  }

  /// Returns a Boolean value indicating whether the main track has such work.
  package func holds(_ work: WorkName) -> Bool {
    mainWork.contains { known in
      known.category == work.category && (work.name == nil || work.name == known.name)
    }
  }
}
