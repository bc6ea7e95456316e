// The functions have the header's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import CScrollTrace
internal import ScrollTraceLayout

@c @implementation
package func scrolltrace_version() -> UInt32 {
  UInt32(
    SCROLLTRACE_VERSION_MAJOR * 1_000_000 + SCROLLTRACE_VERSION_MINOR * 1000
      + SCROLLTRACE_VERSION_PATCH)
}

@c @implementation
package func scrolltrace_error_message(_ result: scrolltrace_result) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(result.text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
package func scrolltrace_open(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<scrolltrace_options>?,
  _ recorder: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<scrolltrace_error>?
) -> scrolltrace_result {
  recorder?.pointee = nil
  return CallFailure.report(to: error) { () throws(CallFailure) in
    guard let path, path.pointee != 0, let recorder else {
      throw CallFailure(SCROLLTRACE_ERROR_ARGUMENT)
    }
    let options = try GivenOptions(options)
    let isWritten = options.fileAccess == SCROLLTRACE_FILE_WRITTEN
    let file = String(cString: path)
    let destination: RecordingDestination = isWritten ? .file(path: file) : .mappedFile(path: file)
    do throws(RecorderError) {
      let made = try TraceRecorder(to: destination, options: options.recorder)
      // The host may use it for as long as the process runs.
      made.pointer.control.pointee.owner = Unmanaged.passRetained(made)
      recorder.pointee = OpaquePointer(made.pointer.handle)
    } catch { throw CallFailure(error) }
  }
}

@c @implementation
package func scrolltrace_finish(
  _ recorder: OpaquePointer?, _ error: UnsafeMutablePointer<scrolltrace_error>?
) -> scrolltrace_result {
  let result = CallFailure.report(to: error) { () throws(CallFailure) in
    do throws(RecorderError) {
      let ended = withRecorder(recorder) { made in
        Result { () throws(RecorderError) in try made.finish() }
      }
      try ended?.get()
    } catch { throw CallFailure(error) }
  }
  if let error, withRecorder(recorder, { $0.isKept }) == false {
    CallFailure(SCROLLTRACE_OK, "the trace was not kept").write(to: error)
  }
  return result
}

@c @implementation
package func scrolltrace_dump(
  _ recorder: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<scrolltrace_error>?
) -> scrolltrace_result {
  CallFailure.report(to: error) { () throws(CallFailure) in
    guard recorder != nil, let path, path.pointee != 0 else {
      throw CallFailure(SCROLLTRACE_ERROR_ARGUMENT)
    }
    do throws(RecorderError) {
      let dumped = withRecorder(recorder) { made in
        Result { () throws(RecorderError) in try made.dump(to: String(cString: path)) }
      }
      try dumped?.get()
    } catch { throw CallFailure(error) }
  }
}

@c @implementation
package func scrolltrace_get_dump_count(
  _ recorder: OpaquePointer?, _ error: UnsafeMutablePointer<scrolltrace_error>?
) -> UInt32 {
  let dumps = withRecorder(recorder) { $0.dumps }
  _ = CallFailure.report(to: error) { () throws(CallFailure) in
    if let failure = dumps?.lastError { throw CallFailure(failure) }
  }
  return UInt32(clamping: dumps?.paths.count ?? 0)
}

@c @implementation
package func scrolltrace_set_enabled(_ recorder: OpaquePointer?, _ enabled: Bool) {
  withRecorder(recorder) { $0.isEnabled = enabled }
}

@c @implementation
package func scrolltrace_is_enabled(_ recorder: OpaquePointer?) -> Bool {
  withRecorder(recorder) { $0.isEnabled } ?? false
}

@c @implementation
package func scrolltrace_now(_ recorder: OpaquePointer?) -> Int64 {
  withRecorder(recorder) { $0.now().nanoseconds } ?? unknown
}

@c @implementation
package func scrolltrace_get_losses(
  _ recorder: OpaquePointer?, _ losses: UnsafeMutablePointer<scrolltrace_losses>?
) {
  guard let losses else { return }
  let lost = withRecorder(recorder) { $0.losses }
  let counts = scrolltrace_losses(
    struct_size: losses.pointee.struct_size, no_chunk: lost?.outOfSpace ?? 0,
    too_big: lost?.recordTooLarge ?? 0, after_close: lost?.afterFinish ?? 0,
    inside: lost?.insideRecorder ?? 0, no_stacks: lost?.hasNoStacks == true ? 1 : 0)
  let count = min(max(0, losses.pointee.struct_size), MemoryLayout<scrolltrace_losses>.size)
  withUnsafeBytes(of: counts) { bytes in
    UnsafeMutableRawBufferPointer(start: losses, count: count)
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
  }
}

private struct GivenOptions {
  var recorder = RecorderOptions()
  var fileAccess = SCROLLTRACE_FILE_MAPPED

  /// Creates options from the host's structure, or the defaults for NULL.
  init(_ given: UnsafePointer<scrolltrace_options>?) throws(CallFailure) {
    recorder.clock = Self.defaultClock
    guard let given else { return }
    guard let options = readStructure(given, defaults: scrolltrace_options()) else {
      throw CallFailure(SCROLLTRACE_ERROR_ARGUMENT)
    }
    guard Self.isZero(given, from: MemoryLayout<scrolltrace_options>.size) else {
      throw CallFailure(SCROLLTRACE_ERROR_VERSION)
    }
    switch UInt32(bitPattern: options.clock) {
    case SCROLLTRACE_CLOCK_DEFAULT.rawValue: recorder.clock = Self.defaultClock
    case SCROLLTRACE_CLOCK_UPTIME.rawValue: recorder.clock = .uptime
    case SCROLLTRACE_CLOCK_MONOTONIC.rawValue: recorder.clock = .monotonic
    case SCROLLTRACE_CLOCK_CONTINUOUS.rawValue: recorder.clock = .continuous
    default: throw CallFailure(SCROLLTRACE_ERROR_VERSION)
    }
    recorder.replacesExistingFile = options.replaces_existing_file
    recorder.isEnabled = !options.starts_off
    recorder.isMainThreadFullyInstrumented = options.records_all_main_work
    recorder.sealsChunks = !options.leaves_chunks_unsealed
    switch UInt32(bitPattern: options.thread_time) {
    case SCROLLTRACE_THREAD_TIME_DEFAULT.rawValue: break
    case SCROLLTRACE_THREAD_TIME_ON.rawValue: recorder.recordsThreadTimes = true
    case SCROLLTRACE_THREAD_TIME_OFF.rawValue: recorder.recordsThreadTimes = false
    default: throw CallFailure(SCROLLTRACE_ERROR_VERSION)
    }
    switch UInt32(bitPattern: options.file_access) {
    case SCROLLTRACE_FILE_MAPPED.rawValue: fileAccess = SCROLLTRACE_FILE_MAPPED
    case SCROLLTRACE_FILE_WRITTEN.rawValue: fileAccess = SCROLLTRACE_FILE_WRITTEN
    default: throw CallFailure(SCROLLTRACE_ERROR_VERSION)
    }
    recorder.printsProblems = options.prints_problems
    if options.stack_sampling_ns != 0 {
      guard StackSampling.periods.contains(options.stack_sampling_ns) else {
        throw CallFailure(
          SCROLLTRACE_ERROR_ARGUMENT, "stack_sampling_ns is not from 100000 to 1000000000")
      }
      recorder.stackSampling = StackSampling(every: .nanoseconds(options.stack_sampling_ns))
    }
    try setSizes(options)
    try setDumps(options)
    try setTraceSampling(options)
  }

  /// The clock of the display's times on most systems.
  private static var defaultClock: RecorderClock {
    #if canImport(Darwin)
      .uptime
    #else
      .monotonic
    #endif
  }

  private mutating func setTraceSampling(_ options: scrolltrace_options) throws(CallFailure) {
    guard options.kept_over >= 0, options.kept_one_in > 0 || options.kept_over == 0 else {
      throw CallFailure(
        SCROLLTRACE_ERROR_ARGUMENT, "kept_over is negative, or kept_one_in is 0 with a limit")
    }
    guard options.kept_one_in > 0 else { return }
    recorder.traceSampling = TraceSampling(
      keepingOneIn: Int(clamping: options.kept_one_in), alwaysAboveHitchRatio: options.kept_over)
  }

  /// Takes the sizes over, if all of them are possible together.
  private mutating func setSizes(_ options: scrolltrace_options) throws(CallFailure) {
    if options.maximum_bytes != 0 { recorder.maximumBytes = Int(clamping: options.maximum_bytes) }
    recorder.preallocatedBytes = Int(clamping: options.prepared_bytes)
    if options.ring_bytes != 0 { recorder.ringBytes = Int(clamping: options.ring_bytes) }
    guard options.prepared_bytes <= recorder.maximumBytes else {
      throw CallFailure(SCROLLTRACE_ERROR_ARGUMENT, "prepared_bytes is more than maximum_bytes")
    }
    guard let ring = recorder.ringBytes else { return }
    let minimum = RecordingLayout.fileSize(chunkCount: ChunkRing(bytes: 0).minimumCount)
    guard max(options.ring_bytes, minimum) <= recorder.maximumBytes else {
      throw CallFailure(
        SCROLLTRACE_ERROR_ARGUMENT,
        "ring_bytes, which is at least 128 KiB, is more than maximum_bytes")
    }
    recorder.ringBytes = max(ring, ChunkRing.smallest * RecordingLayout.chunkSize)
  }

  private mutating func setDumps(_ options: scrolltrace_options) throws(CallFailure) {
    guard let path = options.hitch_dump_path else {
      guard options.hitch_dump_pause == 0, options.hitch_dump_count == 0 else {
        throw CallFailure(SCROLLTRACE_ERROR_ARGUMENT, "hitch_dump_path is NULL")
      }
      return
    }
    guard options.hitch_dump_limit > 0, options.hitch_dump_pause >= 0 else {
      throw CallFailure(
        SCROLLTRACE_ERROR_ARGUMENT, "hitch_dump_limit is not positive, or hitch_dump_pause negative"
      )
    }
    var dumps = HitchDumpPolicy(
      minimumHitch: .nanoseconds(options.hitch_dump_limit), pathPrefix: String(cString: path))
    if options.hitch_dump_pause != 0 {
      dumps.minimumInterval = .nanoseconds(options.hitch_dump_pause)
    }
    if options.hitch_dump_count != 0 { dumps.maximumCount = Int(options.hitch_dump_count) }
    recorder.hitchDumps = dumps
  }

  /// Returns whether all bytes after the members known to this version, from `offset`, are zero.
  /// Otherwise, the host set options that would have no effect.
  private static func isZero(
    _ given: UnsafePointer<scrolltrace_options>, from offset: Int
  ) -> Bool {
    let size = given.pointee.struct_size
    // No version has that many members; a larger size was never set.
    guard size <= 4096 else { return false }
    let bytes = UnsafeRawBufferPointer(start: given, count: size)
    return bytes.dropFirst(offset).allSatisfy { $0 == 0 }
  }
}

struct CallFailure: Error {
  var result: scrolltrace_result
  var message: String
  /// The system's error number, or 0 if the system reported none.
  var systemError: Int32 = 0

  init(_ result: scrolltrace_result) {
    self.result = result
    message = result.text.description
  }

  /// A failure that is the host's.
  init(_ result: scrolltrace_result, _ message: String) {
    self.result = result
    self.message = message
  }

  init(_ error: RecorderError) {
    result = error.errorNumber == 0 ? SCROLLTRACE_ERROR_FILE : SCROLLTRACE_ERROR_SYSTEM
    message = error.description
    systemError = error.errorNumber
  }

  /// Runs `body` and stores the result in `target` if it is not NULL.
  static func report(
    to target: UnsafeMutablePointer<scrolltrace_error>?, _ body: () throws(CallFailure) -> Void
  ) -> scrolltrace_result {
    target?.initialize(to: scrolltrace_error())
    do throws(CallFailure) {
      try body()
      return SCROLLTRACE_OK
    } catch {
      if let target { error.write(to: target) }
      return error.result
    }
  }

  func write(to target: UnsafeMutablePointer<scrolltrace_error>) {
    target.pointee.code = Int32(truncatingIfNeeded: result.rawValue)
    target.pointee.system_error = systemError
    withUnsafeMutableBytes(of: &target.pointee.message) { bytes in
      // The last byte stays 0, and a truncated character is removed as a whole.
      let text = Array(message.utf8.prefix(bytes.count - 1))
      let isCut = text.count < message.utf8.count
      let whole = isCut ? text[..<(text.lastIndex { $0 & 0xC0 != 0x80 } ?? 0)] : text[...]
      bytes.copyBytes(from: whole)
    }
  }
}

extension scrolltrace_result {
  var text: StaticString {
    switch self {
    case SCROLLTRACE_OK: "no error"
    case SCROLLTRACE_ERROR_ARGUMENT: "an argument is missing or invalid"
    case SCROLLTRACE_ERROR_SYSTEM: "a system call failed; see its error number"
    case SCROLLTRACE_ERROR_VERSION:
      "the options require a newer version of the library"
    case SCROLLTRACE_ERROR_FILE:
      "the trace file was removed or replaced, or is not a regular file"
    default: "unknown result"
    }
  }
}
