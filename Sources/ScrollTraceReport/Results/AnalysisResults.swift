public import ScrollTraceAnalysis
import ScrollTraceGate
public import ScrollTraceModel
import ScrollTraceSummary

/// The values of a report, whose encoding is the JSON report.
///
/// ```swift
/// let analysis = TraceAnalyzer().analyze(try TraceFile.open(path))
/// for finding in analysis.results.findings { print(finding.title, finding.fix) }
/// ```
///
/// Times are counted from the trace's start. A value that is unknown is `nil`, never zero. M-numbers are
/// those of the page *Metrics*. Names are those of the trace, also in texts, so a program that prints them
/// has to escape them as its output needs.
public struct AnalysisResults: Codable, Sendable {
  /// The schema of the JSON report. Keys may be added to it, but no key changes its meaning.
  package static let schema = "scrolltrace.report/2"

  /// The schema of the encoding: `scrolltrace.report/2`.
  public let schema: String
  /// The program that wrote the report.
  public let tool: Tool
  /// The thresholds of all ratings.
  public let thresholds: RatingThresholds
  /// One analysis for each trace. The runs of a comparison's base come first.
  public let runs: [Run]
  /// The differences between two sides (M-20), or `nil` if nothing is compared.
  public let comparison: Comparison?
  /// Whether the runs meet their limits (M-21).
  public let verdict: Verdict

  /// The program that wrote a report.
  public struct Tool: Codable, Sendable {
    /// The name of the program.
    public let name: String
    /// The version of the program.
    public let version: String

    static let current = Tool(name: ToolIdentity.name, version: ToolIdentity.version)
  }

  /// The conclusions from one trace.
  public struct Run: Codable, Sendable {
    /// The origin of the trace, and whether it is complete.
    public let input: Input
    /// The recorded time, or `nil` if the source does not state it.
    public let duration: TimeSpan?
    /// The fact that precedes the ratio, or `nil` if there is none: `notMeasurable`, `appEnded`, `dataLost`,
    /// `noNewPicture`, `machineBusy` or `blank`.
    public let headline: String?
    /// The name of the surface of the headline, or `nil` without frames.
    public let primarySurface: String?
    /// The surfaces, by name.
    public let surfaces: [Surface]
    /// The work of the app's process (M-11).
    public let work: Work
    /// The work of other processes, by name.
    public let otherProcesses: [ProcessWork]
    /// The spans that never ended.
    public let openSpans: [OpenSpan]
    /// The cost of recording (M-22), or `nil` if it was not measured.
    public let recorder: RecorderOverhead?
    /// The lists (M-14, M-15), by name, or `nil` if the trace describes none.
    public let lists: [ListAnalysis]?
    /// The results of sampled stacks (M-26), or `nil` if the trace contains none.
    public let samples: Samples?
    /// The hitch time removed without each cause (M-17), largest first.
    public let predictions: [Prediction]
    /// The speedups required for zero hitch time; empty unless they were asked for.
    public let requiredSpeedups: [RequiredSpeedup]
    /// The findings, by removable hitch time (M-19).
    public let findings: [Finding]
    /// The facts that a reader should know.
    public let notices: [Notice]

    private enum CodingKeys: String, CodingKey {
      case input, duration = "durationNs", headline, primarySurface, surfaces, work
      case otherProcesses, openSpans, recorder, lists, samples, predictions, requiredSpeedups
      case findings, notices
    }

    init(_ run: Analysis, _ prediction: PredictionReport? = nil, includesSeries: Bool = false) {
      let trace = run.trace
      input = Input(of: run)
      duration = trace.source.hasKnownLength ? trace.range.length : nil
      headline = run.headline?.word
      primarySurface = run.primarySurface?.name
      surfaces = run.selectedSurfaces.map { Surface($0, of: run, includesSeries: includesSeries) }
      work = Work(of: run)
      otherProcesses = run.otherProcesses
      openSpans = trace.openSpans.map { OpenSpan($0, in: trace) }
      recorder = run.recorderOverhead
      lists = run.lists.isEmpty ? nil : run.lists
      samples = run.samples.map { Samples($0, of: run) }
      predictions = (prediction?.predictions ?? run.predictions)
        .map(Prediction.init)
      requiredSpeedups = prediction?.requiredSpeedups ?? []
      let words = FindingWords(of: run)
      findings = run.findings.map { Finding($0, words) }
      notices = run.notices.map { Notice($0, in: trace) }
    }
  }

  /// The origin of a trace, and whether it is complete.
  public struct Input: Codable, Sendable {
    /// The path of the file.
    public let path: String
    /// The format of the file.
    public let format: String
    /// The size of the file in bytes, or `nil` if unknown.
    public let bytes: UInt64?
    /// A Boolean value indicating whether no data was lost and the recording is not known to be cut off.
    public let isComplete: Bool
    /// A Boolean value indicating whether the app finished the recording, or `nil` if the format does not say.
    public let isFinished: Bool?
    /// What the recorder retained, or `nil` if it retains everything.
    public let ring: Ring?
    /// The lost data, by reason.
    public let losses: [LostData]
    /// The part that the report covers, or `nil` if it covers everything.
    public let selection: Selection?

    private enum CodingKeys: String, CodingKey {
      case path, format, bytes, isComplete = "complete", isFinished = "finished", ring, losses
      case selection
    }

    init(of run: Analysis) {
      let trace = run.trace
      path = trace.source.path
      format = trace.source.format
      bytes = trace.source.byteCount
      isComplete = trace.isComplete
      isFinished = trace.source.wasClosed
      ring = trace.source.ring.map { ring in
        Ring(
          overwrittenChunks: UInt64(ring.overwrittenChunkCount),
          retained: ring.start.map { trace.range.end - $0 })
      }
      losses = trace.losses.map {
        LostData(reason: JSONWord.reason($0.reason), count: $0.count, offset: $0.offset)
      }
      let selection = run.options.selection
      self.selection =
        selection.isEmpty
        ? nil
        : Selection(
          from: selection.from, to: selection.to, interaction: selection.interaction,
          states: selection.states.map { StateValue(key: $0.key, value: $0.value) },
          surface: selection.surface, duration: run.selectedTime?.length)
    }
  }

  /// The part of a recording that a recorder retained which overwrites its oldest data.
  public struct Ring: Codable, Sendable {
    /// The number of overwritten chunks of 32 760 bytes.
    public let overwrittenChunks: UInt64
    /// The duration of the retained part, or `nil` if everything was retained.
    public let retained: TimeSpan?

    private enum CodingKeys: String, CodingKey {
      case overwrittenChunks, retained = "retainedNs"
    }
  }

  /// Data of a trace that was lost for one reason.
  public struct LostData: Codable, Sendable {
    /// The reason, as one word.
    public let reason: String
    /// The number of losses.
    public let count: UInt64
    /// The offset of the first one in bytes, or `nil` if unknown.
    public let offset: UInt64?
  }

  /// The part of a trace that a report covers.
  public struct Selection: Codable, Sendable {
    /// The start, or `nil` for that of the trace.
    public let from: TimeSpan?
    /// The end, or `nil` for that of the trace.
    public let to: TimeSpan?
    /// The pattern of interactions, or `nil` for all.
    public let interaction: String?
    /// The values of states, of which all must hold.
    public let states: [StateValue]
    /// The surface, or `nil` for all.
    public let surface: String?
    /// The length of the selected time, or `nil` if only a surface is selected.
    public let duration: TimeSpan?

    private enum CodingKeys: String, CodingKey {
      case from = "fromNs", to = "toNs", interaction, states, surface, duration = "durationNs"
    }
  }

  /// A value of a state.
  public struct StateValue: Codable, Sendable {
    /// The name of the state.
    public let key: String
    /// The value of the state.
    public let value: String
  }

  /// A span that never ended.
  public struct OpenSpan: Codable, Sendable {
    /// The name of the track.
    public let track: String
    /// The category of the span.
    public let category: String
    /// The name of the span.
    public let name: String
    /// The item that the work is for, or `nil` if unknown.
    public let item: String?
    /// The start of the span.
    public let start: TimeSpan

    private enum CodingKeys: String, CodingKey {
      case track, category, name, item, start = "startNs"
    }

    init(_ span: ScrollTraceModel.OpenSpan, in trace: Trace) {
      track = trace.displayName(of: span.track)
      category = trace.category(of: span.label)
      name = trace.name(of: span.label)
      item = span.item.flatMap(trace.displayText)
      start = span.since - trace.range.start
    }
  }

  /// A fact that a reader of a report should know.
  public struct Notice: Codable, Sendable {
    /// The kind, as one word.
    public let kind: String
    /// The fact as sentences, which may be reworded.
    public let text: String

    init(_ notice: AnalysisNotice, in trace: Trace) {
      kind = JSONWord.kind(of: notice)
      text = Messages(start: trace.range.start).text(of: notice)
    }

    init(kind: String, text: String) { (self.kind, self.text) = (kind, text) }
  }
}

extension AnalysisResults {
  /// Creates the results of a report. Only if `includesSeries`, surfaces list their work per frame (M-12).
  init(_ report: Report, includesSeries: Bool = false) {
    let runs = report.runs.enumerated().map { index, analysis in
      Run(
        analysis, report.predictions.isEmpty ? nil : report.predictions[index],
        includesSeries: includesSeries)
    }
    self.init(report, runs: runs)
  }

  init(_ report: Report, runs: [Run]) {
    schema = Self.schema
    tool = .current
    thresholds = report.thresholds
    self.runs = runs
    comparison = report.comparison.map { Comparison($0, report.verdict.outcome) }
    verdict = Verdict(of: report)
  }

  /// The JSON report: the keys in their declared order, `null` for unknown values, equal bytes for equal
  /// results.
  public var json: String { JSONValue(encoding: self).text }
}

extension Analysis {
  /// The conclusions as values. They are made anew for each call.
  public var results: AnalysisResults.Run { AnalysisResults.Run(self) }
}

extension Report {
  /// What the report says, as values. They are made anew for each call.
  public var results: AnalysisResults { AnalysisResults(self) }
}
