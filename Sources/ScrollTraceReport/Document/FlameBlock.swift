extension Document {
  /// Call paths as bars, each below its caller. The table beside it contains the same in words.
  struct Flame: Sendable {
    /// A span or function.
    struct Node: Sendable {
      let name: String
      /// The name with its module, time and samples.
      let text: String
      let depth: Int
      /// The start and width as shares of the whole.
      let start: Double
      let width: Double
      /// The meaning of the bar: a span, a function, or whether it took more or less time.
      let role: TextRole
    }

    let title: String
    /// The nodes, each followed by those inside it.
    let nodes: [Node]
  }
}
