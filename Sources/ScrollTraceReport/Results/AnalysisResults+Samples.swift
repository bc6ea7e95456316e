public import ScrollTraceAnalysis
public import ScrollTraceModel

extension AnalysisResults {
  /// What sampled stacks say (M-26).
  public struct Samples: Codable, Sendable {
    /// The name of the sampled thread.
    public let thread: String
    /// A Boolean value indicating whether it is the main thread.
    public let isMain: Bool
    /// The gap in the middle of all gaps between its samples, or `nil` with fewer than two.
    public let medianGap: TimeSpan?
    /// The sampled threads as the source counts them, by appearance.
    public let threads: [SampledThread]
    /// The windows of the primary surface's hitches, or `nil` without hitches.
    public let hitches: SampleSums?
    /// The primary surface's frame that never ended outside of motions, or `nil` without one.
    public let openFrame: SampleSums?
    /// What `measured` covers: `interaction` or `recording`.
    public let window: MeasuredTimeKind
    /// The measured time.
    public let measured: SampleSums

    private static let maximumThreads = 200

    private enum CodingKeys: String, CodingKey {
      case thread, isMain = "main", medianGap = "medianGapNs", threads, hitches, openFrame, window
      case measured
    }

    init(_ samples: SampleAnalysis, of run: Analysis) {
      let surface = run.primarySurface?.surface
      thread = samples.timeline.threadName
      isMain = samples.timeline.isMain
      medianGap = samples.timeline.cells.medianGap
      threads = run.trace.samples.prefix(Self.maximumThreads).map {
        SampledThread($0, in: run.trace)
      }
      hitches = surface.flatMap { samples.hitches[$0] }.map(SampleSums.init)
      openFrame = surface.flatMap { samples.openFrames[$0] }.map(SampleSums.init)
      window = samples.isMotion ? .interaction : .recording
      measured = SampleSums(samples.measured)
    }
  }

  /// What samples say about some windows (M-26). Times of rows, paths and functions are `nil` for fewer than
  /// 10 samples in all.
  public struct SampleSums: Codable, Sendable {
    /// The length of the windows.
    public let length: TimeSpan
    /// The number of samples.
    public let samples: Int
    /// The time that samples represent.
    public let sampled: TimeSpan
    /// The rest of the length.
    public let notSampled: TimeSpan
    /// The innermost spans, by time.
    public let rows: [Row]
    /// The 40 functions with the longest own time.
    public let functions: [Function]
    /// The 15 functions with the longest total time.
    public let functionsByTotal: [Function]
    /// The 40 functions of the app with the longest total time, without those whose time to 95% is in another
    /// of them that they call.
    public let ownFunctions: [Function]
    /// The outermost functions that all samples share, outermost first.
    public let sharedCallers: [String]

    private static let maximumFunctions = 40
    private static let maximumTotals = 15

    /// The time in one innermost span, or in none.
    public struct Row: Codable, Sendable {
      /// The category of the span, or `nil` if none was open.
      public let category: String?
      /// The name of the span, or `nil` if none was open.
      public let name: String?
      /// The time.
      public let time: TimeSpan?
      /// The share of the length, 0 to 1.
      public let share: Double?
      /// The number of samples.
      public let samples: Int
      /// The call paths, longest first.
      public let paths: [Path]

      private enum CodingKeys: String, CodingKey {
        case category, name, time = "timeNs", share, samples, paths
      }
    }

    /// A call path in a row.
    public struct Path: Codable, Sendable {
      /// The time in it that no other path of the row has.
      public let time: TimeSpan?
      /// The share of the length, 0 to 1.
      public let share: Double?
      /// The number of samples.
      public let samples: Int
      /// The functions, outermost first.
      public let functions: [String]

      private enum CodingKeys: String, CodingKey { case time = "timeNs", share, samples, functions }
    }

    /// The time in a function.
    public struct Function: Codable, Sendable {
      /// The name of the function.
      public let name: String
      /// The module or file, or `nil` if unknown.
      public let place: String?
      /// The time in which it was innermost.
      public let own: TimeSpan?
      /// The time in which it was on the stack.
      public let total: TimeSpan?
      /// The number of samples in which it was innermost.
      public let ownSamples: Int
      /// The number of samples in which it was on the stack.
      public let totalSamples: Int

      private enum CodingKeys: String, CodingKey {
        case name, place, own = "ownNs", total = "totalNs", ownSamples, totalSamples
      }
    }

    private enum CodingKeys: String, CodingKey {
      case length = "lengthNs", samples, sampled = "sampledNs", notSampled = "notSampledNs", rows
      case functions, functionsByTotal, ownFunctions, sharedCallers
    }

    init(_ account: SampleAccount) {
      let isOnlyOrder = account.isOnlyOrder
      let whole = Double(Swift.max(1, account.length.nanoseconds))
      func time(_ time: TimeSpan) -> TimeSpan? { isOnlyOrder ? nil : time }
      func share(_ time: TimeSpan) -> Double? {
        isOnlyOrder ? nil : Double(time.nanoseconds) / whole
      }
      func functions(_ functions: [SampleAccount.FunctionTime], _ maximum: Int) -> [Function] {
        functions.prefix(maximum).map {
          Function(
            name: $0.name, place: $0.module, own: time($0.own), total: time($0.total),
            ownSamples: $0.ownSamples, totalSamples: $0.totalSamples)
        }
      }
      length = account.length
      samples = account.samples
      sampled = account.sampled
      notSampled = account.notSampled
      rows = account.rows.map { row in
        Row(
          category: row.category, name: row.name, time: time(row.time), share: share(row.time),
          samples: row.samples,
          paths: row.paths.map {
            Path(
              time: time($0.time), share: share($0.time), samples: $0.samples,
              functions: $0.functions)
          })
      }
      self.functions = functions(account.functions, Self.maximumFunctions)
      functionsByTotal = functions(account.functionsByTotal, Self.maximumTotals)
      ownFunctions = functions(account.ownFunctions, Self.maximumFunctions)
      sharedCallers = account.sharedCallers
    }
  }
}
