package import ScrollTraceModel

/// The stacks of two runs in the same interaction: differences by function and by span.
package struct StackComparison: Sendable {
  /// A function or span on both sides.
  package struct Row: Equatable, Sendable {
    package let name: String
    /// The module or file of a function, or `nil` if unknown.
    package let module: String?
    package var base = TimeSpan.zero
    package var new = TimeSpan.zero

    /// The time that the new side has more.
    package var difference: TimeSpan { new - base }
  }

  /// A node of both trees of stacks, in preorder.
  package struct Node: Equatable, Sendable {
    package let name: String
    package let depth: Int
    package let isSpan: Bool
    package let base: TimeSpan
    package let new: TimeSpan
  }

  /// The kind and name of the interaction, or `nil` if neither side has any.
  package let interaction: (kind: String, name: String)?
  /// The length of the time on each side.
  package let base: TimeSpan
  package let new: TimeSpan
  /// The functions by own time, largest change first, or empty without samples.
  package let functions: [Row]
  /// The innermost spans, largest change first; the time without one is none of them.
  package let spans: [Row]
  package let nodes: [Node]

  /// Compares the runs that represent two sides, interaction by interaction: the first drag of one
  /// with the first drag of the other. Empty if a side has no work and no samples.
  static func all(_ base: ComparisonSide, _ new: ComparisonSide) -> [StackComparison] {
    guard let baseRun = base.shown, let newRun = new.shown else { return [] }
    let pairs = pairs(base.shownSurface?.interactions ?? [], new.shownSurface?.interactions ?? [])
    let windows: [((kind: String, name: String)?, TimeRange, TimeRange)] =
      pairs.isEmpty
      ? [(nil, baseRun.trace.range, newRun.trace.range)]
      : pairs.map { (($0.kind, $0.name), $0.range, $1.range) }
    let shown = windows.prefix(maximumInteractions)
    let first = baseRun.stackProfiles(of: shown.map { TimeRangeSet(union: [$0.1]) }, title: "")
    let second = newRun.stackProfiles(of: shown.map { TimeRangeSet(union: [$0.2]) }, title: "")
    let hasSamples = baseRun.samples != nil && newRun.samples != nil
    return zip(shown, zip(first, second)).map { window, profiles in
      StackComparison(window.0, profiles.0, profiles.1, hasSamples: hasSamples)
    }
  }

  private static let maximumInteractions = 64
  private static let maximumNodes = 2000

  /// The interactions that follow each other in the same order on both sides, by kind.
  private static func pairs(
    _ base: [InteractionAnalysis], _ new: [InteractionAnalysis]
  ) -> [(InteractionAnalysis, InteractionAnalysis)] {
    base.map(\.kind).distinct.flatMap { kind in
      Array(zip(base.filter { $0.kind == kind }, new.filter { $0.kind == kind }))
    }.stablySorted { $0.0.range.start }
  }

  private init(
    _ interaction: (kind: String, name: String)?, _ base: StackProfile, _ new: StackProfile,
    hasSamples: Bool
  ) {
    self.interaction = interaction
    (self.base, self.new) = (base.length, new.length)
    var (functions, spans) = ([StackProfile.Frame: Row](), [StackProfile.Frame: Row]())
    var tree = StackProfile(thread: "", title: "")
    var (baseTimes, newTimes) = ([Int: TimeSpan](), [Int: TimeSpan]())
    for (profile, isNew) in [(base, false), (new, true)] {
      var paths: [Int: Int] = [:]
      for segment in profile.segments {
        let frames = profile.frames(of: segment.stack).map { profile.frames[$0] }
        let path = paths[segment.stack] ?? frames.reduce(-1) { tree.path($1, calledBy: $0) }
        paths[segment.stack] = path
        if isNew {
          newTimes[path, default: .zero] += segment.length
        } else {
          baseTimes[path, default: .zero] += segment.length
        }
        func add(_ frame: StackProfile.Frame, to rows: inout [StackProfile.Frame: Row]) {
          var row = rows[frame] ?? Row(name: frame.name, module: frame.module)
          if isNew { row.new += segment.length } else { row.base += segment.length }
          rows[frame] = row
        }
        if hasSamples, let leaf = frames.last, !leaf.isSpan { add(leaf, to: &functions) }
        // No span took the rest of the time, which is idle or not instrumented.
        if let span = frames.last(where: \.isSpan), span != .unrecorded { add(span, to: &spans) }
      }
    }
    self.functions = Self.sorted(functions)
    self.spans = Self.sorted(spans)
    nodes = Self.nodes(tree, baseTimes, newTimes)
  }

  private static func sorted(_ rows: [StackProfile.Frame: Row]) -> [Row] {
    rows.values.sorted {
      (
        $1.difference.magnitude, $1.base, $0.name, $0.module ?? ""
      ) < ($0.difference.magnitude, $0.base, $1.name, $1.module ?? "")
    }
  }

  /// The nodes of a tree in preorder, the largest first, without those that are too small to see.
  private static func nodes(
    _ tree: StackProfile, _ base: [Int: TimeSpan], _ new: [Int: TimeSpan]
  ) -> [Node] {
    let count = tree.callers.count
    var times = (0..<count).map { (base: base[$0] ?? .zero, new: new[$0] ?? .zero) }
    var children = Array(repeating: [Int](), count: count)
    var roots: [Int] = []
    for index in (0..<count).reversed() {
      let caller = tree.callers[index]
      guard caller >= 0 else {
        roots.append(index)
        continue
      }
      times[caller].base += times[index].base
      times[caller].new += times[index].new
      children[caller].append(index)
    }
    func sum(_ index: Int) -> TimeSpan { times[index].base + times[index].new }
    let all = roots.reduce(into: TimeSpan.zero) { $0 += sum($1) }
    func ordered(_ list: [Int]) -> [Int] { list.sorted { (sum($0), $1) < (sum($1), $0) } }
    var waiting = ordered(roots).map { (index: $0, depth: 0) }
    var nodes: [Node] = []
    while let (index, depth) = waiting.popLast(), nodes.count < maximumNodes {
      guard sum(index).nanoseconds > all.nanoseconds / 2000 else { continue }
      let frame = tree.frames[tree.leaves[index]]
      nodes.append(
        Node(
          name: frame.name, depth: depth, isSpan: frame.isSpan, base: times[index].base,
          new: times[index].new))
      guard depth + 1 < FlameTree.maximumDepth else { continue }
      for child in ordered(children[index]) { waiting.append((child, depth + 1)) }
    }
    return nodes
  }
}

extension Comparison {
  /// The functions or spans that differ with the interaction they are of, largest difference first.
  package func differences(
    of rows: KeyPath<StackComparison, [StackComparison.Row]>
  ) -> [(stacks: StackComparison, row: StackComparison.Row)] {
    stacks.flatMap { stacks in
      stacks[keyPath: rows].filter { $0.difference != .zero }.map { (stacks, $0) }
    }.stablySorted { $0.row.difference.magnitude > $1.row.difference.magnitude }
  }
}
