import ScrollTraceKit

/// `scrolltrace merge`: adds up lines of summaries.
enum MergeCommand: Command {
  static let by = Flag(
    name: "by", value: "parts", takesList: true, isRepeatable: true, group: .select,
    help: "Keys to keep separate, comma-separated: attribute:NAME, state:KEY, interaction.")
  static let atLeast = Flag(
    name: "at-least", value: "traces", group: .select,
    help: "Merge values of attributes with fewer traces as 'other'.")
  static let dedupe = Flag(
    name: "dedupe", group: .select, help: "Count traces with the same bytes once.")

  static let syntax = CommandSyntax(
    name: "merge",
    abstract: "Merge summary lines.",
    examples: [
      "scrolltrace merge lines.ndjson",
      "cat *.ndjson | scrolltrace merge - --by attribute:build,state:screen",
    ],
    discussion: """
      The output is summary lines again, which can be merged in any order and
      grouping with the same result. Surfaces that differ in basis or refresh rate
      stay separate, as do traces that differ in an attribute named by --by; other
      attributes are dropped. Give state:KEY or interaction to keep only those totals.
      """,
    exitStatuses: ExitStatus.meaningsWithoutTraces,
    operand: .init(
      name: "lines", help: "A file of summary lines, or '-' for standard input.", isRepeatable: true
    ),
    flags: [by, atLeast, dedupe, InputLimitFlags.symbols], common: [by, atLeast, dedupe])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let projection = try SummaryProjection(arguments)
    var merger = SummaryMerger(once: arguments.has(dedupe) ? .traces : nil) { projection($0) }
    let minimum = try arguments.value(
      of: atLeast, as: { Int64($0).flatMap { $0 > 0 ? $0 : nil } },
      expecting: "a number above 0")
    var status = ExitStatus.done
    var (attributes, states): (Set<String>, Set<String>) = ([], [])
    for path in arguments.operands {
      let wasRead = SummaryLines.read(path, on: console) { summary in
        attributes.formUnion(summary.attributeNames)
        if !projection.states.isEmpty { states.formUnion(summary.stateKeys) }
        merger.add(summary)
      }
      if !wasRead { status = .notEvaluated }
    }
    guard !merger.sum.rows.isEmpty else {
      if status == .done {
        console.fail(about: arguments.operands.joined(separator: ", "), "no summary lines")
      }
      return .notEvaluated
    }
    for (kind, asked, known) in [
      ("attribute", projection.attributes, attributes), ("state", projection.states, states),
    ] {
      guard let name = asked.subtracting(known).min() else { continue }
      console.fail(about: "--by \(kind):\(name)", SummaryLines.nothing(has: kind, known))
      return .notEvaluated
    }
    if let repeats = merger.repeats { console.warn("--dedupe: \(repeats)") }
    let sum = minimum.map { merger.sum.folded(below: WideInteger($0)) } ?? merger.sum
    for line in SummaryLines.named(sum, arguments).lines { try console.print(line + "\n") }
    return status
  }
}

/// What stays apart when lines are merged.
struct SummaryProjection: Sendable {
  /// The attributes by whose values groups are made.
  private(set) var attributes: Set<String> = []
  /// The keys of the states whose scopes are kept.
  private(set) var states: Set<String> = []
  /// The starts of the names of scopes that are kept, or empty for all.
  private var scopes: [String] = []

  init(_ arguments: ParsedArguments) throws(UsageError) {
    for part in arguments.values(of: MergeCommand.by) {
      let words = part.split(separator: ":", maxSplits: 1).map(String.init)
      switch (words.first, words.count) {
      case ("attribute", 2): attributes.insert(words[1])
      case ("state", 2):
        states.insert(words[1])
        scopes.append(SummaryScope.prefix(ofState: words[1]))
      case ("interaction", 1): scopes.append(SummaryScope.interactionPrefix)
      default:
        throw .invalidValue(
          part, of: MergeCommand.by, expecting: "attribute:NAME, state:KEY or interaction")
      }
    }
  }

  /// Returns the summary without what does not stay apart.
  func callAsFunction(_ summary: TraceSummary) -> TraceSummary {
    summary.rows.reduce(into: .zero) { sum, element in
      var (key, row) = element
      key.attributes.keep(attributes)
      row.identity = nil
      if !scopes.isEmpty {
        row.scopes = row.scopes.filter { name, _ in
          name == SummaryScope.all || scopes.contains { name.hasPrefix($0) }
        }
      }
      sum += TraceSummary(key, row)
    }
  }
}
