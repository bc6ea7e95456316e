import ReferenceListEngine
import ScrollTraceKit
import ScrollTraceRecorder

/// What the demo is to play, as the command line says.
struct DemoPlan {
  /// Why a file cannot be used.
  struct Failure: Error {
    let path: String
    let problem: String
  }

  private let isVirtual: Bool
  private let seconds: Int64
  private let seed: UInt64
  private let hertz: Int
  private let items: Int
  private let policies: EnginePolicies
  private let sessionPath: String?
  /// How many bytes of the recording are to be kept; `nil` for all.
  let ringBytes: Int?

  /// Reads the flags of `DemoCommand`.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    isVirtual = arguments.has(DemoCommand.virtual)
    seconds =
      try arguments.value(
        of: DemoCommand.seconds, as: { Int64($0).flatMap { (1...3600).contains($0) ? $0 : nil } },
        expecting: "a whole number of seconds from 1 to 3600") ?? 3
    seed =
      try arguments.value(
        of: DemoCommand.seed, as: { UInt64($0) }, expecting: "a number from 0 on") ?? 1
    hertz =
      try arguments.value(
        of: DemoCommand.refreshRate,
        as: { Int($0).flatMap { (10...1000).contains($0) ? $0 : nil } },
        expecting: "a whole rate from 10 to 1000 Hz") ?? 60
    items =
      try arguments.value(
        of: DemoCommand.items, as: { Int($0).flatMap { (1...10_000_000).contains($0) ? $0 : nil } },
        expecting: "a whole number from 1 to 10000000") ?? 2000
    ringBytes =
      try arguments.value(
        of: DemoCommand.ring,
        as: { ByteCount($0).flatMap { $0.bytes <= 1 << 30 ? $0.bytes : nil } },
        expecting: "a number of bytes such as 65536, 512K or 2M, up to 1G")
    do throws(SessionError) {
      policies = try EnginePolicies(text: arguments.value(of: DemoCommand.policy) ?? "")
    } catch {
      throw UsageError(
        message: "\(error.reason); expected \(error.advice)", flag: DemoCommand.policy)
    }
    sessionPath = arguments.value(of: DemoCommand.session)
  }

  /// The engine.
  func configuration() -> EngineConfiguration {
    var configuration = EngineConfiguration(content: ListContent(feedOf: items, seed: seed))
    configuration.rates = [RefreshSchedule.Rate(from: 0, hertz: hertz)]
    configuration.policies = policies
    return configuration
  }

  /// What is played live: the session in the file, or somebody who reads for ten minutes.
  func liveSession() throws(Failure) -> ScrollSession {
    try sessionOfFile() ?? .reading(for: 600_000_000_000, seed: seed)
  }

  /// Plays and records; gives what the engine has counted itself, and what was played.
  func record(to path: String) throws -> (EngineCounters, ScrollSession) {
    let session = try sessionOfFile() ?? .reading(for: seconds * 1_000_000_000, seed: seed)
    let clock: any EngineClock = isVirtual ? VirtualClock() : RealClock()
    var options: RecorderOptions = isVirtual ? .virtual(clock.recorderClock) : .real(clock)
    options.ringBytes = ringBytes
    let recorder = try TraceRecorder(writingTo: path, options: options)
    let engine = ListEngine(configuration(), clock: clock, recorder: recorder)
    engine.run(session)
    try recorder.finish()
    return (engine.counters, session)
  }

  private func sessionOfFile() throws(Failure) -> ScrollSession? {
    guard let path = sessionPath else { return nil }
    let text: String
    do throws(ImportError) {
      text = try TextFile.read(path, as: "session")
    } catch {
      throw Failure(path: path, problem: error.description)
    }
    do throws(SessionError) {
      return try SessionText.parse(text)
    } catch {
      let place = error.line.map { "line \($0): " } ?? ""
      throw Failure(path: path, problem: "\(place)\(error.reason); \(error.advice)")
    }
  }
}
