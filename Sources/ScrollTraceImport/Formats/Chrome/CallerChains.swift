internal import ScrollTraceModel

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
