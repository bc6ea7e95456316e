import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `inspect --recover`: writes the readable part of a file and reports the result.
struct Recovery {
  /// The damaged file.
  let path: String
  /// The recovered file.
  let output: String

  /// Writes the recovered file; the exit status indicates whether data is missing.
  func run(
    _ source: any ByteSource, overwrites: Bool, _ asJSON: Bool, on console: Console
  ) throws -> ExitStatus {
    var result: Result<FXTRecovery, ImportError>?
    var number: Int32 = 0
    do {
      try FileWriter.create(output, overwrites: overwrites, inputs: [path]) { descriptor in
        result = Result { () throws(ImportError) in
          try FXTRecovery.recover(source) { bytes throws(ImportError) in
            number = bytes.withUnsafeBytes { FileWriter.write($0, to: descriptor) }
            if number != 0 { throw ImportError("cannot be copied") }
          }
        }
        if case .failure = result { return number == 0 ? ECANCELED : number }
        return number
      }
    } catch {
      // The reason is in the damaged file, not in the copy.
      if number == 0, case .failure(let reason) = result { throw reason }
      throw error
    }
    guard let recovery = try result?.get() else { return .notEvaluated }
    try console.print(asJSON ? json(recovery).text : text(recovery, console.sink))
    return recovery.hasLost ? .lossy : .done
  }

  private func text(_ recovery: FXTRecovery, _ sink: EscapingContext) -> String {
    let saved = recovery.records.values.reduce(0) { $0 + $1.recovered }
    let lost = recovery.records.values.reduce(0) { $0 + $1.discarded }
    var lines = [
      "\(sink.escape(output)): \(Quantity.count(saved, "record")) recovered,"
        + " \(lost) discarded, \(Quantity.bytes(recovery.skippedBytes)) skipped", "",
      "  RECOVERED  DISCARDED  RECORDS",
    ]
    for (kind, count) in recovery.records.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(pad(count.recovered, 9))  \(pad(count.discarded, 9))  \(kind)")
    }
    if !recovery.skipped.isEmpty { lines += ["", "  SKIPPED"] }
    lines += TraceInspection.lines(on: recovery.skipped)
    if recovery.skippedCount > TraceInspection.mostDamages {
      lines.append("  and more; --format json lists them")
    }
    if recovery.placeholderCount > 0 {
      lines.append("  \(Quantity.count(recovery.placeholderCount, "missing name")) replaced")
    }
    if recovery.duplicateChunks > 0 {
      lines.append("  \(Quantity.count(recovery.duplicateChunks, "duplicate chunk")) omitted")
    }
    if recovery.wrongSeals > 0 {
      lines.append(
        "  \(Quantity.count(recovery.wrongSeals, "chunk")) with a checksum mismatch omitted")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func pad(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: " ", count: max(0, width - digits.count)) + digits
  }

  private func json(_ recovery: FXTRecovery) -> JSONValue {
    .object([
      ("schema", .string("scrolltrace.recovery/2")), ("input", .string(path)),
      ("output", .string(output)),
      (
        "records",
        .array(
          recovery.records.sorted { $0.key < $1.key }.map {
            .object([
              ("kind", .string($0.key)), ("recovered", .unsigned($0.value.recovered)),
              ("discarded", .unsigned($0.value.discarded)),
            ])
          })
      ), ("skippedBytes", .unsigned(recovery.skippedBytes)),
      ("skipped", .array(recovery.skipped.map(TraceInspection.json))),
      ("duplicateChunks", .integer(Int64(recovery.duplicateChunks))),
      ("wrongSeals", .integer(Int64(recovery.wrongSeals))),
    ])
  }
}
