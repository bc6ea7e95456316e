import ScrollTraceModel

/// The sums of some stacks and of all their callers.
///
/// Nothing here is recursive: stacks can be thousands of functions deep.
struct StackSums {
  typealias Sum = SampleTotals.Sum

  let tree: StackTree
  /// The positions of the stacks and their callers, ascending, so that callers come first.
  private let nodes: [Int32]
  /// The sums of the samples that end with each of `nodes`.
  private var own: [Sum]
  /// The sums that include the functions called.
  private(set) var totals: [Sum]
  /// The index of the caller in `nodes`, or -1.
  private let callers: [Int]
  /// The sum of the samples without a stack, or `nil` if there are none.
  let withoutStack: Sum?

  /// Creates the sums of `stacks`, by their positions in `tree`.
  init(_ stacks: [Int32: Sum], of tree: StackTree) {
    self.tree = tree
    withoutStack = stacks[-1]
    var known: Set<Int32> = []
    for stack in stacks.keys {
      var at = stack
      while at >= 0, known.insert(at).inserted { at = tree.callers[Int(at)] }
    }
    nodes = known.sorted()
    var indices: [Int32: Int] = [:]
    for (index, node) in nodes.enumerated() { indices[node] = index }
    callers = nodes.map { tree.callers[Int($0)] }.map { $0 < 0 ? -1 : indices[$0] ?? -1 }
    own = nodes.map { stacks[$0] ?? Sum() }
    totals = own
    for index in nodes.indices.reversed() where callers[index] >= 0 {
      totals[callers[index]] += totals[index]
    }
  }

  /// These sums in a tree in which a function that calls itself is there once, however deep.
  func withoutRecursion() -> StackSums {
    let isRecursive = callers.indices.contains {
      callers[$0] >= 0 && function(callers[$0]) == function($0)
    }
    guard isRecursive else { return self }
    var folded = StackTree(functions: tree.functions)
    var positions: [Int32] = []
    var sums: [Int32: Sum] = [:]
    sums[-1] = withoutStack
    for (index, caller) in callers.enumerated() {
      let position = folded.position(
        of: Int32(function(index)), calledBy: caller < 0 ? -1 : positions[caller])
      positions.append(position)
      sums[position, default: Sum()] += own[index]
    }
    return StackSums(sums, of: folded)
  }

  func stack(_ index: Int) -> StackID { StackID(rawValue: nodes[index]) }

  private func function(_ index: Int) -> Int { Int(tree.leaves[Int(nodes[index])]) }

  /// The outermost functions that all samples share, outermost first.
  var sharedPath: [SampledFunction] {
    guard withoutStack == nil else { return [] }
    return path(sharedBelow: callers.indices.filter { callers[$0] < 0 })
  }

  /// The outermost functions that all whole stacks share, outermost first: the frame loop. A stack whose
  /// outermost function is called elsewhere is cut off.
  var loopPath: [SampledFunction] {
    let called = Set(callers.indices.lazy.filter { callers[$0] >= 0 }.map(function))
    return path(
      sharedBelow: callers.indices.filter { callers[$0] < 0 && !called.contains(function($0)) })
  }

  private func path(sharedBelow roots: [Int]) -> [SampledFunction] {
    guard roots.count == 1 else { return [] }
    var children = Array(repeating: 0, count: nodes.count)
    var onlyChild = Array(repeating: -1, count: nodes.count)
    for (index, caller) in callers.enumerated() where caller >= 0 {
      children[caller] += 1
      onlyChild[caller] = index
    }
    var (path, at) = ([SampledFunction](), roots[0])
    while children[at] == 1, own[at].samples == 0 {
      path.append(tree.functions[function(at)])
      at = onlyChild[at]
    }
    // All samples go through this one, too, if none ends with it.
    if own[at].samples == 0 { path.append(tree.functions[function(at)]) }
    return path
  }

  /// The outermost functions that nearly all of the time is in, outermost first.
  var commonPath: [SampledFunction] {
    let (roots, children) = calls()
    let minimum = Int64(
      Double(roots.reduce(withoutStack?.time ?? 0) { $0 + totals[$1].time }) * Self.commonShare)
    var (path, candidates) = ([SampledFunction](), roots)
    while let next = candidates.first, totals[next].time >= max(1, minimum) {
      path.append(tree.functions[function(next)])
      candidates = children[next]
    }
    return path
  }

  /// The part of all time from which it is nearly all.
  private static var commonShare: Double { 0.9 }

  /// The functions of the app whose time nearly all is in one other of them that they call, unless that is
  /// mostly innermost, as a function of a library that is linked into the app.
  func onlyCallers(isOwn: (SampledFunction) -> Bool) -> Set<SampledFunction> {
    struct Call: Hashable {
      var caller: Int
      var called: Int
    }
    var nearest = Array(repeating: -1, count: nodes.count)
    var first: [Int: Int] = [:]
    var times: [Call: Int64] = [:]
    for (index, caller) in callers.enumerated() {
      if caller >= 0 {
        nearest[index] = isOwn(tree.functions[function(caller)]) ? caller : nearest[caller]
      }
      guard isOwn(tree.functions[function(index)]) else { continue }
      first[function(index)] = first[function(index)] ?? index
      guard nearest[index] >= 0, function(nearest[index]) != function(index) else { continue }
      times[Call(caller: function(nearest[index]), called: function(index)), default: 0] +=
        totals[index].time
    }
    var whole: [SampledFunction: Int64] = [:]
    var innermost: Set<SampledFunction> = []
    for (function, own, total) in functions {
      whole[function] = total.time
      if own.time > total.time / 2 { innermost.insert(function) }
    }
    // Of functions that call each other, the first one is the caller.
    return times.reduce(into: []) { found, entry in
      let (call, time) = entry
      let caller = tree.functions[call.caller]
      let isMost = Double(time) >= Double(whole[caller] ?? 0) * Self.calledShare
      let isFirst = (first[call.caller] ?? 0) < (first[call.called] ?? 0)
      if isMost, isFirst, !innermost.contains(tree.functions[call.called]) { found.insert(caller) }
    }
  }

  /// The part of a caller's time from which it is only a caller.
  private static var calledShare: Double { 0.95 }

  /// The stacks at which enough time is left that no stack below them has, longest first.
  func hotPaths(minimum: Int64, minimumSamples: Int) -> [(stack: StackID, sum: Sum)] {
    var claimed = Array(repeating: Sum(), count: nodes.count)
    var found: [(stack: StackID, sum: Sum)] = []
    for index in nodes.indices.reversed() {
      let rest = Sum(
        time: totals[index].time - claimed[index].time,
        samples: totals[index].samples - claimed[index].samples)
      if rest.time >= minimum, rest.samples >= minimumSamples {
        found.append((stack(index), rest))
        claimed[index] = totals[index]
      }
      if callers[index] >= 0 { claimed[callers[index]] += claimed[index] }
    }
    return found.sorted { ($1.sum.time, $0.stack.rawValue) < ($0.sum.time, $1.stack.rawValue) }
  }

  /// The indices of the functions that each function calls, longest first, and of the outermost.
  func calls() -> (roots: [Int], children: [[Int]]) {
    var roots: [Int] = []
    var children = Array(repeating: [Int](), count: nodes.count)
    for (index, caller) in callers.enumerated() {
      if caller < 0 { roots.append(index) } else { children[caller].append(index) }
    }
    func sort(_ list: inout [Int]) { list.sort { (totals[$1].time, $0) < (totals[$0].time, $1) } }
    sort(&roots)
    for index in children.indices where children[index].count > 1 { sort(&children[index]) }
    return (roots, children)
  }

  /// The functions with their own sums, and their total sums, which count a sample once however often the
  /// function is on its stack.
  var functions: [(function: SampledFunction, own: Sum, total: Sum)] {
    var ownSums = Array(repeating: Sum(), count: tree.functions.count)
    var totalSums = Array(repeating: Sum(), count: tree.functions.count)
    var active = Array(repeating: 0, count: tree.functions.count)
    let (roots, children) = calls()
    var waiting = roots.map { (index: $0, isLeaving: false) }
    var used: Set<Int> = []
    while let (index, isLeaving) = waiting.popLast() {
      let function = function(index)
      if isLeaving {
        active[function] -= 1
        continue
      }
      used.insert(function)
      ownSums[function] += own[index]
      if active[function] == 0 { totalSums[function] += totals[index] }
      active[function] += 1
      waiting.append((index, true))
      for child in children[index] { waiting.append((child, false)) }
    }
    return used.sorted().map { (tree.functions[$0], ownSums[$0], totalSums[$0]) }
  }

  /// Calls `body` with each stack that has at least that much time, callers first.
  func forEachInPreorder(
    minimum: Int64, maximumDepth: Int, _ body: (_ stack: StackID, _ depth: Int, _ sum: Sum) -> Void
  ) {
    let (roots, children) = calls()
    var waiting = roots.reversed().map { (index: $0, depth: 0) }
    while let (index, depth) = waiting.popLast() {
      guard totals[index].time >= minimum else { continue }
      body(stack(index), depth, totals[index])
      guard depth + 1 < maximumDepth else { continue }
      for child in children[index].reversed() { waiting.append((child, depth + 1)) }
    }
  }
}

extension StackTree {
  /// The position of the stack in which `caller` calls a function, or of `caller` if that is the function.
  fileprivate mutating func position(of function: Int32, calledBy caller: Int32) -> Int32 {
    guard caller < 0 || leaves[Int(caller)] != function else { return caller }
    return stack(of: function, calledBy: StackID(rawValue: caller))?.rawValue ?? caller
  }
}
