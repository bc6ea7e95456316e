/// The syntax of a command, for its parser, help and completion scripts.
package struct CommandSyntax: Sendable {
  /// The positional argument of a command.
  package struct Operand: Sendable {
    let name: String
    let help: String
    var isRepeatable = false
    /// The options that can take its place.
    var replacements: [Flag] = []

    /// Creates an operand; `help` is a sentence.
    package init(
      name: String, help: String, isRepeatable: Bool = false, replacements: [Flag] = []
    ) {
      self.name = name
      self.help = help
      self.isRepeatable = isRepeatable
      self.replacements = replacements
    }
  }

  package let name: String
  /// What the command does, as a sentence.
  let abstract: String
  /// Command lines that show how it is used, the most useful ones first.
  var examples: [String]
  /// Details, printed as they are.
  var discussion = ""
  var exitStatuses: [ExitStatus.Meaning]
  /// The operand, or `nil` if the command has none.
  var operand: Operand?
  /// The options, in the order of the help.
  package let flags: [Flag]
  /// The common options, which the short help lists.
  let common: [Flag]

  package init(
    name: String, abstract: String, examples: [String] = [], discussion: String = "",
    exitStatuses: [ExitStatus.Meaning] = ExitStatus.meanings, operand: Operand? = nil,
    flags: [Flag], common: [Flag] = []
  ) {
    self.name = name
    self.abstract = abstract
    self.examples = examples
    self.discussion = discussion
    self.exitStatuses = exitStatuses
    self.operand = operand
    self.flags = flags
    self.common = common
  }

  /// The options, including those of every command.
  package var allFlags: [Flag] { flags + [.version, .help] }

  /// The options of every group that has some, in the order of the help.
  var groups: [(group: HelpGroup, flags: [Flag])] {
    HelpGroup.allCases.compactMap { group in
      let flags = allFlags.filter { $0.group == group }
      return flags.isEmpty ? nil : (group, flags)
    }
  }

  var usage: String {
    let line = usage(options: flags.map { "[\($0.usage)]" })
    return line.count <= Self.usageWidth ? line : usage(options: ["[<options>]"])
  }

  private func usage(options: [String]) -> String {
    let operand = operand.map { "<\($0.name)>" + ($0.isRepeatable ? " ..." : "") }
    return (["\(ScrollTraceCommand.name) \(name)"] + options + [operand].compactMap { $0 })
      .joined(separator: " ")
  }

  /// The columns of the longest usage line; a longer one only says `<options>`.
  private static let usageWidth = 72
}

package enum HelpGroup: String, CaseIterable, Sendable {
  case input, select, interactions, output, limits, advanced
}

/// An option of a command, declared once for parsing, help, suggestions and completions.
package struct Flag: Equatable, Sendable {
  /// The long name, without dashes.
  package let name: String
  /// The short name, without its dash.
  var short: Character?
  /// The placeholder of the value, or `nil` for a switch.
  var value: String?
  /// The accepted values, or empty if any text is accepted.
  package var choices: [String] = []
  /// Whether one value can be a list with commas.
  var takesList = false
  /// Whether every occurrence counts, not only the last one.
  var isRepeatable = false
  /// The default in words.
  var standard: String?
  var group = HelpGroup.advanced
  /// What the option does, as a sentence.
  let help: String

  package init(
    name: String, short: Character? = nil, value: String? = nil, choices: [String] = [],
    takesList: Bool = false, isRepeatable: Bool = false, standard: String? = nil,
    group: HelpGroup = .advanced, help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.choices = choices
    self.takesList = takesList
    self.isRepeatable = isRepeatable
    self.standard = standard
    self.group = group
    self.help = help
  }

  static let help = Flag(
    name: "help", short: "h",
    help: "Show common options (-h) or all options (--help).")
  static let version = Flag(name: "version", help: "Show the version.")

  /// `--name <value>`
  var usage: String { "--\(name)" + (value.map { " <\($0)>" } ?? "") }

  /// `-n, --name <value>`
  var label: String { (short.map { "-\($0), " } ?? "") + usage }

  /// The help with values, default and repetition.
  var explanation: String {
    var notes: [String] = []
    if !choices.isEmpty { notes.append("values: \(choices.joined(separator: ", "))") }
    if let standard { notes.append("default: \(standard)") }
    return help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
      + (isRepeatable ? " Repeatable." : "")
  }
}
