import ScrollTraceModel

extension ReplayPass {
  /// Lets content arrive as much earlier as its cell is prepared.
  mutating func requestContent(of cell: Int, at index: Int) {
    guard let need = model.cells[cell].need else { return }
    let lead = max(0, model.jobs[need].start - steps.steps[index].start)
    for content in model.cells[cell].contents {
      let arrival = model.jobs[model.contents[content].job].start - lead
      let frame = steps.frames.partitionPoint { $0 > index && steps.steps[$0].start >= arrival }
      guard frame < steps.frames.count else { continue }
      let step = steps.frames[frame]
      let length = lengths.takeContent(at: content, of: model)
      arrivals[step] = arrivals[step].saturatingAdd(length)
    }
  }
}
