internal import ScrollTraceModel

/// The tree of nodes of a profile that V8 wrote, and the samples that name them.
struct V8Profile {
  /// A call of a function from another one.
  private struct Node {
    var function: Int32
    var parent: Int64?
    /// Whether this is V8's root, which is no function.
    var isRoot: Bool
  }

  private var nodes: [Int64: Node] = [:]
  private var chains = CallerChains<Int64>()
  /// The stacks of nodes, by their numbers, which V8 counts from 1. Larger numbers are looked up each time.
  private var stacks: [StackID?] = []
  private static let maximumStacks: Int64 = 1 << 16
  /// How many samples name a node that does not exist.
  private(set) var unknownCount = 0

  // MARK: - Reading

  /// Adds a node of a list: `id`, `callFrame`, and `parent` or `children`.
  mutating func addNode(_ view: JSONView, in builder: inout TraceBuilder) {
    var (id, parent, children) = (Int64?.none, Int64?.none, [Int64]())
    var function: (id: Int32, isRoot: Bool)?
    view.forEachMember { name, value in
      if name.hasBytes(of: "id") {
        id = value.integer
      } else if name.hasBytes(of: "parent") {
        parent = value.integer
      } else if name.hasBytes(of: "children") {
        value.forEachElement { if let child = $0.integer { children.append(child) } }
      } else if name.hasBytes(of: "callFrame") {
        function = Self.function(value, in: &builder)
      }
    }
    guard let id, let function else { return builder.countLoss(.malformedRecord) }
    guard nodes.count < StackTree.maximumCount else { return builder.countLoss(.limitReached) }
    // A parent that named this node as its child came before.
    nodes[id] = Node(
      function: function.id, parent: parent ?? nodes[id]?.parent, isRoot: function.isRoot)
    for child in children where nodes.count < StackTree.maximumCount {
      nodes[child, default: Node(function: -1, parent: nil, isRoot: false)].parent = id
    }
  }

  /// The function of a call frame, and whether it is V8's root.
  private static func function(
    _ frame: JSONView, in builder: inout TraceBuilder
  ) -> (id: Int32, isRoot: Bool) {
    var (name, url, line) = ("", "", Int64(-1))
    frame.forEachMember { key, value in
      if key.hasBytes(of: "functionName") {
        name = value.text ?? ""
      } else if key.hasBytes(of: "url") {
        url = value.text ?? ""
      } else if key.hasBytes(of: "lineNumber") {
        line = value.integer ?? -1
      }
    }
    let end = url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    let script = String(url[..<(end ?? url.endIndex)]).fileName
    let module = script.isEmpty ? "" : "\(script):\(line.saturatingAdd(1))"
    let function = builder.sampledFunction(
      builder.string(name.isEmpty ? "(anonymous)" : name), in: builder.string(module))
    return (function, name == "(root)")
  }

  // MARK: - Stacks

  /// Adds a sample of a node at each time in nanoseconds, which is -1 if it cannot be represented. All nodes
  /// have been added.
  mutating func addSamples(
    of nodes: [Int64], at times: [Int64], to series: Int, in builder: inout TraceBuilder
  ) {
    var (nodes, times) = (nodes, times)
    let surplus = nodes.count - times.count
    if surplus > 0 { builder.countLoss(.malformedRecord, count: UInt64(surplus)) }
    builder.addNotice("sampled stacks without a time", count: surplus)
    builder.addNotice("times without a sampled stack", count: -surplus)
    if surplus < 0 { times.removeLast(-surplus) }
    let lost = times.count { $0 < 0 }
    if lost > 0 {
      builder.countLoss(.timeOutOfRange, count: UInt64(lost))
      nodes = zip(nodes, times).filter { $1 >= 0 }.map(\.0)
      times.removeAll { $0 < 0 }
    }
    let stacks = nodes.prefix(times.count).map { stack(of: $0, in: &builder).rawValue }
    builder.addSamples(of: stacks, at: times, to: series)
    report(in: &builder)
  }

  private mutating func stack(of id: Int64, in builder: inout TraceBuilder) -> StackID {
    if id >= 0, id < stacks.count, let known = stacks[Int(id)] { return known }
    guard let node = nodes[id], node.function >= 0 else {
      unknownCount += 1
      return .empty
    }
    let stack = chains.stack(of: id, among: nodes.count, in: &builder) { id in
      guard let node = nodes[id], node.function >= 0 else { return nil }
      let isFunction = !node.isRoot || node.parent != nil
      return .init(function: isFunction ? node.function : nil, caller: node.parent)
    }
    if id >= 0, id < Self.maximumStacks {
      while stacks.count <= id { stacks.append(nil) }
      stacks[Int(id)] = stack
    }
    return stack
  }

  private func report(in builder: inout TraceBuilder) {
    builder.countLoss(.invalidValue, count: UInt64(chains.circularCount))
    builder.addNotice(
      "circular nodes of a profile", count: chains.circularCount)
    builder.addNotice("samples that refer to unknown nodes of the profile", count: unknownCount)
  }
}

/// The stacks of frames each of which names its caller.
struct CallerChains<ID: Hashable & Sendable>: Sendable {
  struct Frame {
    /// The function, or `nil` if the frame is no call of one.
    var function: Int32?
    /// The caller, or `nil` if it is the outermost frame.
    var caller: ID?
  }

  /// The stacks of the frames that were asked for, and of their callers.
  private var stacks: [ID: StackID] = [:]
  /// The number of frames that call themselves in a circle. They have no stack.
  private(set) var circularCount = 0

  /// Returns the stack of a frame. A stack that is deeper than a trace can hold is empty.
  ///
  /// - Parameters:
  ///   - id: The frame.
  ///   - count: The number of frames, which no chain exceeds.
  ///   - frame: Returns a frame, or `nil` if the file does not have it.
  mutating func stack(
    of id: ID, among count: Int, in builder: inout TraceBuilder, _ frame: (ID) -> Frame?
  ) -> StackID {
    if let known = stacks[id] { return known }
    var path: [(id: ID, function: Int32?)] = []
    var (next, stack): (ID?, StackID) = (id, .empty)
    while let id = next, let found = frame(id) {
      if let known = stacks[id] {
        stack = known
        break
      }
      guard path.count <= count else {
        circularCount += 1
        for step in path { stacks[step.id] = .empty }
        return .empty
      }
      path.append((id, found.function))
      next = found.caller
    }
    var isTooDeep = false
    for step in path.reversed() {
      if !isTooDeep, let function = step.function {
        if let inner = builder.stack(of: function, calledBy: stack) {
          stack = inner
        } else {
          (isTooDeep, stack) = (true, .empty)
        }
      }
      stacks[step.id] = stack
    }
    return stack
  }
}
