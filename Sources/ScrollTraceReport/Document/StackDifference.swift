import ScrollTraceAnalysis
import ScrollTraceModel

/// What functions and spans of two runs took in the same interaction, as a table and as bars.
struct StackDifference {
  let comparison: Comparison
  let messages: RunMessages

  /// The tables and the flame graph, or nothing if the stacks do not differ.
  var blocks: [Document.Block] {
    tables + comparison.stacks.compactMap(flame).prefix(messages.limits.pairs).map { .flame($0) }
  }

  var tables: [Document.Block] {
    table("Own time by function, by interaction", \.functions).blocks
      + table("Time in innermost spans, by interaction", \.spans).blocks
  }

  private func table(
    _ title: String, _ rows: KeyPath<StackComparison, [StackComparison.Row]>
  ) -> Document.Table? {
    let isOfSpans = rows == \.spans
    let found = comparison.differences(of: rows)
    guard !found.isEmpty else { return nil }
    var table = Document.Table([
      .number("base"), .number("new"), .number("difference"),
      .init(title: "interaction", expendability: 1), .flexible("name"),
    ])
    let limit = messages.limits.differences
    for (stacks, row) in found.prefix(limit) {
      let role: TextRole = row.difference > .zero ? .late : .good
      let module = row.module.map { " (\(messages.name($0, 30)))" } ?? ""
      table.add(
        Quantity.length(row.base), Quantity.length(row.new),
        StyledText(Self.signed(row.difference), role), name(of: stacks),
        messages.name(isOfSpans ? messages.label(row.name) : row.name, 60) + module)
    }
    let rest = found.count - limit
    return table.titled(
      title,
      note: rest > 0
        ? StyledText("and \(Quantity.count(rest, "smaller difference"))", .faint) : nil)
  }

  private func name(of stacks: StackComparison) -> String {
    guard let interaction = stacks.interaction else { return "recording" }
    return [interaction.kind, interaction.name].filter { !$0.isEmpty }
      .map { messages.name($0, 20) }.joined(separator: " ")
  }

  private static func signed(_ span: TimeSpan) -> String {
    "\(span < .zero ? "-" : "+")\(Quantity.length(span.magnitude))"
  }

  private func flame(_ stacks: StackComparison) -> Document.Flame? {
    let whole = Double(stacks.base.nanoseconds) + Double(stacks.new.nanoseconds)
    guard whole > 0, stacks.nodes.contains(where: { $0.base != $0.new }) else { return nil }
    var layout = FlameBars(whole: whole)
    let nodes = stacks.nodes.map { node in
      let time = Double(node.base.nanoseconds) + Double(node.new.nanoseconds)
      let (start, width) = layout.add(time, at: node.depth)
      let difference = node.new - node.base
      // A tenth either way is not worth a color.
      let isSmall = Double(difference.magnitude.nanoseconds) < time / 20
      let name = messages.name(node.isSpan ? messages.label(node.name) : node.name, 120)
      return Document.Flame.Node(
        name: name,
        text: "\(name): \(Quantity.length(node.base)) → \(Quantity.length(node.new)),"
          + " \(Self.signed(difference))",
        depth: node.depth, start: start, width: width,
        role: isSmall ? .faint : difference > .zero ? .late : .good)
    }
    return Document.Flame(
      title: "Difference in \(name(of: stacks)): the width is the time of both runs;"
        + " marked bars took longer or shorter", nodes: nodes)
  }
}

/// The starts of bars that lie below one another.
struct FlameBars {
  private let whole: Double
  private var starts: [Double] = [0]

  /// Bars of which the widest takes `whole`.
  init(whole: Double) {
    self.whole = max(1, whole)
  }

  /// Adds the next bar at a depth; returns where it starts and how wide it is, as shares of the whole.
  mutating func add(_ time: Double, at depth: Int) -> (start: Double, width: Double) {
    if starts.count > depth + 1 { starts.removeLast(starts.count - depth - 1) }
    let depth = min(depth, starts.count - 1)
    let (start, width) = (starts[depth], time / whole)
    starts[depth] = start + width
    starts.append(start)
    return (start, width)
  }
}
