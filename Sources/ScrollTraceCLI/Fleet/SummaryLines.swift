import ScrollTraceKit

/// Reads the lines of summaries in a file.
enum SummaryLines {
  /// The number of bytes within which the first line names its schema.
  private static let examinedByteCount = 64
  /// The number of unreadable lines of a file that are reported one by one.
  private static let maximumReported = 3

  /// Returns what to say of a selection that no line fits, with what there is instead.
  static func nothing(has what: String, _ there: some Collection<String>) -> String {
    "no line has this \(what); "
      + (there.isEmpty
        ? "there is none" : "there are \(there.sorted().listed())")
  }

  /// Returns the first bytes of standard input if it is one of `paths`, which then start after them.
  static func standardInputStart(_ paths: [String]) -> [UInt8] {
    guard paths.contains("-") else { return [] }
    return (try? StandardInputByteSource.start(examinedByteCount)) ?? []
  }

  /// Returns whether the file at `path` starts with a line of a summary.
  ///
  /// - Parameter input: The first bytes of standard input.
  static func areIn(_ path: String, input: [UInt8]) -> Bool {
    var start = input
    if path != "-" {
      guard let file = try? FileByteSource(path: path) else { return false }
      start = [UInt8](unsafeUninitializedCapacity: examinedByteCount) { buffer, count in
        count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
      }
    }
    return String(decoding: start, as: UTF8.self).includes("\"\(ToolIdentity.name).summary/")
  }

  /// Adds up the lines in files, each changed by `change` and equal ones of a trace once; the status says whether all
  /// could be read.
  static func sum(
    of paths: [String], input: [UInt8] = [], on console: Console,
    _ change: @escaping (TraceSummary) -> TraceSummary = { $0 }
  ) -> (sum: TraceSummary, status: ExitStatus) {
    var merger = SummaryMerger(once: .lines, change)
    let isWhole = paths.map { read($0, input: input, on: console) { merger.add($0) } }
    if let repeats = merger.repeats { console.warn(repeats) }
    return (merger.sum, isWhole.contains(false) ? .notEvaluated : .done)
  }

  /// Returns the sums with the names of functions that `--symbols` finds.
  static func named(_ sum: TraceSummary, _ arguments: ParsedArguments) -> TraceSummary {
    guard arguments.has(InputLimitFlags.symbols) else { return sum }
    var names = CodeNames(InputLimitFlags.nameOptions(arguments))
    return sum.namingFunctions { names.name(of: $0) }
  }

  /// Reads the lines in the file at `path`. The first lines that cannot be read are reported, and then how
  /// many others there are. Returns whether all could be read.
  static func read(
    _ path: String, input: [UInt8] = [], on console: Console, _ body: (TraceSummary) -> Void
  ) -> Bool {
    let name = Console.name(ofInput: path)
    var (isWhole, failures, number, readCount) = (true, 0, 0, 0)
    func fail(_ problem: String) {
      isWhole = false
      number > 0
        ? console.fail(about: "\(name):\(number)", problem)
        : console.fail(aboutInput: path, problem)
    }
    func failLine(_ problem: String) throws(ImportError) {
      guard readCount + failures > 0 || !ReportFile.isTrace(path) else {
        number = 0
        throw ImportError(
          "is a trace", advice: "run '\(ScrollTraceCommand.name) summarize' first")
      }
      failures += 1
      if failures <= maximumReported { fail(problem) }
    }
    do throws(ImportError) {
      var lines = DelimitedReader(try TraceFile.bytes(streamedFrom: path, after: input))
      while let line = try lines.next() {
        number += 1
        switch line {
        case .tooLong(let limit): try failLine("is longer than \(limit) bytes")
        case .bytes(let bytes):
          guard bytes.contains(where: { $0 > 0x20 }) else { continue }
          let summary: TraceSummary
          do throws(ImportError) {
            summary = try TraceSummary(line: bytes)
          } catch {
            try failLine(error.problem)
            continue
          }
          readCount += 1
          body(summary)
        }
      }
    } catch {
      fail(error.problem)
    }
    let rest = failures - maximumReported
    if rest > 0 {
      console.fail(about: name, "\(Quantity.count(rest, "more line")) cannot be read")
    }
    return isWhole
  }
}
