import ScrollTraceKit

/// The options of every command that analyzes: what a trace does not say itself (M-5).
enum AnalysisFlags {
  static let profile = Flag(
    name: "profile", value: "profile", choices: BandProfile.allCases.map(\.rawValue),
    standard: BandProfile.scroll.rawValue,
    help: "The limits that ratios are held against.")
  static let interaction = Flag(
    name: "interaction", value: "name=from..to", isRepeatable: true,
    help: "Say when something moved, counted from the trace's start, such as fling=1.2s..3s or"
      + " drag=0ms..500ms. Can be repeated; replaces what the trace says.")
  static let interactions = Flag(
    name: "interactions", value: "file",
    help: "Read such lines from a file; '#' starts a comment.")
  static let marks = Flag(
    name: "interactions-from-marks", value: "pattern",
    help: "Take marks NAME:begin and NAME:end (or NAME-start and so on) and asynchronous spans NAME"
      + " for interactions, where the pattern with '*' and '?' fits NAME.")
  static let alwaysMoving = Flag(
    name: "always-moving", help: "Take the whole recording for one interaction.")
  static let refreshRate = Flag(
    name: "refresh-rate", value: "hz",
    help: "The refresh rate where the trace does not say it: 60, 59.94, 60000/1001.")
  static let allowLoss = Flag(
    name: "allow-loss", help: "Exit with 0 although a trace had lost data.")

  /// Why the options could not be made.
  enum Failure: Error {
    /// The command line is wrong.
    case usage(UsageError)
    /// A file that it names is.
    case unreadable(path: String, problem: String)
  }

  /// What `arguments` tell the analysis.
  static func options(_ arguments: ParsedArguments) throws(Failure) -> AnalysisOptions {
    var options = AnalysisOptions()
    if let name = arguments.value(of: profile), let value = BandProfile(rawValue: name) {
      options.profile = value
    }
    for text in arguments.values(of: interaction) {
      guard let stretch = AnalysisOptions.NamedStretch(argument: text) else {
        throw .usage(.invalidValue(text, of: interaction, advice: formOfInteraction))
      }
      options.interactions.append(stretch)
    }
    if let path = arguments.value(of: interactions) {
      options.interactions += try InteractionFile.read(path)
    }
    options.interactionMarks = arguments.value(of: marks)
    options.isAlwaysMoving = arguments.has(alwaysMoving)
    do {
      options.interval = try arguments.value(
        of: refreshRate, as: TimeSpan.init(refreshRate:),
        expecting: "a rate of 1 to 1000 Hz, such as 60, 59.94 or 60000/1001")
    } catch {
      throw .usage(error)
    }
    return options
  }

  private static let formOfInteraction =
    "Please provide NAME=FROM..TO with times in s, ms, us or ns, such as 'fling=1.2s..3s'."
}
