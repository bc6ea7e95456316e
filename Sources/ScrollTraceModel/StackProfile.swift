/// Stacks with their durations, for flame graphs of other tools: spans and, inside them, functions.
package struct StackProfile: Sendable {
  package struct Frame: Hashable, Sendable {
    package let name: String
    /// The module or file, or `nil` if unknown.
    package let module: String?
    /// Whether this is a span, or the time without one.
    package let isSpan: Bool

    package init(name: String, module: String? = nil, isSpan: Bool = false) {
      self.name = name
      self.module = module
      self.isSpan = isSpan
    }

    /// The time without a span.
    package static let unrecorded = Frame(name: "unrecorded", isSpan: true)
  }

  package struct Segment: Equatable, Sendable {
    package let start: Timestamp
    package var length: TimeSpan
    /// The position of the innermost frame in `callers` and `leaves`, or -1 without any.
    package let stack: Int
  }

  package let thread: String
  /// The description of the time that the profile covers.
  package let title: String
  package private(set) var frames: [Frame] = []
  /// The position of the caller of each path, or -1 for an outermost frame.
  package private(set) var callers: [Int] = []
  /// The position in `frames` of the innermost frame of each path.
  package private(set) var leaves: [Int] = []
  /// The segments, sorted by start.
  package private(set) var segments: [Segment] = []
  private var frameIDs: [Frame: Int] = [:]
  private var positions: [Path: Int] = [:]

  private struct Path: Hashable {
    var caller: Int
    var frame: Int
  }

  package init(thread: String, title: String) {
    self.thread = thread
    self.title = title
  }

  package var length: TimeSpan { segments.reduce(into: .zero) { $0 += $1.length } }

  /// Returns the path in which `caller`, or -1, calls `frame`.
  package mutating func path(_ frame: Frame, calledBy caller: Int) -> Int {
    let id = frames.position(of: frame, in: &frameIDs, adding: frame)
    let key = Path(caller: caller, frame: id)
    if let known = positions[key] { return known }
    positions[key] = callers.count
    callers.append(caller)
    leaves.append(id)
    return callers.count - 1
  }

  /// Adds a segment, which extends the one before it if it follows with the same stack.
  package mutating func add(_ stack: Int, from start: Timestamp, lasting length: TimeSpan) {
    guard length > .zero else { return }
    if let last = segments.last, last.stack == stack, last.start + last.length == start {
      segments[segments.count - 1].length += length
    } else {
      segments.append(Segment(start: start, length: length, stack: stack))
    }
  }

  /// Returns the positions in `frames` of a path, outermost first.
  package func frames(of stack: Int) -> [Int] {
    var (path, at) = ([Int](), stack)
    while at >= 0 {
      path.append(leaves[at])
      at = callers[at]
    }
    return path.reversed()
  }
}
