// The functions are called as the header calls them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import CScrollTrace

/// The version of the library: that of the header it was built with.
@c @implementation
package func scrolltrace_version() -> UInt32 {
  UInt32(
    SCROLLTRACE_VERSION_MAJOR * 1_000_000 + SCROLLTRACE_VERSION_MINOR * 1000
      + SCROLLTRACE_VERSION_PATCH)
}

/// A line about a result.
@c @implementation
package func scrolltrace_error_message(_ result: scrolltrace_result) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(result.text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Begins a recording.
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
    let options = try RecorderOptions(options)
    do throws(RecorderError) {
      let made = try TraceRecorder(writingTo: String(cString: path), options: options)
      recorder.pointee = OpaquePointer(made.handle)
    } catch {
      throw CallFailure(error)
    }
  }
}

/// Ends a recording.
@c @implementation
package func scrolltrace_finish(
  _ recorder: OpaquePointer?, _ error: UnsafeMutablePointer<scrolltrace_error>?
) -> scrolltrace_result {
  CallFailure.report(to: error) { () throws(CallFailure) in
    guard let recorder = TraceRecorder(recorder) else { return }
    do throws(RecorderError) {
      try recorder.finish()
    } catch {
      throw CallFailure(error)
    }
  }
}

/// Writes what the recording holds into another file.
@c @implementation
package func scrolltrace_dump(
  _ recorder: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<scrolltrace_error>?
) -> scrolltrace_result {
  CallFailure.report(to: error) { () throws(CallFailure) in
    guard let recorder = TraceRecorder(recorder), let path, path.pointee != 0 else {
      throw CallFailure(SCROLLTRACE_ERROR_ARGUMENT)
    }
    do throws(RecorderError) {
      try recorder.dump(to: String(cString: path))
    } catch {
      throw CallFailure(error)
    }
  }
}

/// Counts the dumps made after hitches.
@c @implementation
package func scrolltrace_get_dump_count(
  _ recorder: OpaquePointer?, _ error: UnsafeMutablePointer<scrolltrace_error>?
) -> UInt32 {
  let dumps = TraceRecorder(recorder)?.dumps
  _ = CallFailure.report(to: error) { () throws(CallFailure) in
    if let failure = dumps?.lastError { throw CallFailure(failure) }
  }
  return UInt32(clamping: dumps?.paths.count ?? 0)
}

/// Switches recording off or on.
@c @implementation
package func scrolltrace_set_enabled(_ recorder: OpaquePointer?, _ enabled: Bool) {
  TraceRecorder(recorder)?.isEnabled = enabled
}

/// Whether events are recorded.
@c @implementation
package func scrolltrace_is_enabled(_ recorder: OpaquePointer?) -> Bool {
  TraceRecorder(recorder)?.isEnabled ?? false
}

/// The recorder's clock now.
@c @implementation
package func scrolltrace_now(_ recorder: OpaquePointer?) -> Int64 {
  TraceRecorder(recorder)?.now() ?? unknown
}

/// Counts what is lost.
@c @implementation
package func scrolltrace_get_losses(
  _ recorder: OpaquePointer?, _ losses: UnsafeMutablePointer<scrolltrace_losses>?
) {
  guard let losses else { return }
  let lost = TraceRecorder(recorder)?.losses
  let counts = scrolltrace_losses(
    struct_size: losses.pointee.struct_size, no_chunk: lost?.outOfSpace ?? 0,
    too_big: lost?.recordTooLarge ?? 0, after_close: lost?.afterFinish ?? 0)
  let count = min(max(0, losses.pointee.struct_size), MemoryLayout<scrolltrace_losses>.size)
  withUnsafeBytes(of: counts) { bytes in
    UnsafeMutableRawBufferPointer(start: losses, count: count)
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
  }
}

extension RecorderOptions {
  /// The options that a host gives; the defaults for NULL.
  init(_ given: UnsafePointer<scrolltrace_options>?) throws(CallFailure) {
    self.init()
    guard let given else { return }
    guard let options = readStructure(given, defaults: scrolltrace_options()) else {
      throw CallFailure(SCROLLTRACE_ERROR_ARGUMENT)
    }
    guard Self.isZero(given, from: MemoryLayout<scrolltrace_options>.size) else {
      throw CallFailure(SCROLLTRACE_ERROR_VERSION)
    }
    switch UInt32(bitPattern: options.clock) {
    case SCROLLTRACE_CLOCK_UPTIME.rawValue: clock = .uptime
    case SCROLLTRACE_CLOCK_MONOTONIC.rawValue: clock = .monotonic
    case SCROLLTRACE_CLOCK_CONTINUOUS.rawValue: clock = .continuous
    default: throw CallFailure(SCROLLTRACE_ERROR_VERSION)
    }
    if options.maximum_bytes != 0 { maximumBytes = Int(clamping: options.maximum_bytes) }
    preallocatedBytes = Int(clamping: options.prepared_bytes)
    replacesExistingFile = options.replaces_existing_file
    isEnabled = !options.starts_off
    isMainThreadFullyInstrumented = options.records_all_main_work
    sealsChunks = !options.leaves_chunks_unsealed
    if options.ring_bytes != 0 { ringBytes = Int(clamping: options.ring_bytes) }
    switch UInt32(bitPattern: options.thread_time) {
    case SCROLLTRACE_THREAD_TIME_DEFAULT.rawValue: break
    case SCROLLTRACE_THREAD_TIME_ON.rawValue: threadTime = true
    case SCROLLTRACE_THREAD_TIME_OFF.rawValue: threadTime = false
    default: throw CallFailure(SCROLLTRACE_ERROR_VERSION)
    }
    guard options.prepared_bytes <= maximumBytes, options.ring_bytes <= maximumBytes else {
      throw CallFailure(
        SCROLLTRACE_ERROR_ARGUMENT, "prepared_bytes or ring_bytes is more than maximum_bytes")
    }
    guard options.reserved == 0 else { throw CallFailure(SCROLLTRACE_ERROR_VERSION) }
    if let path = options.hitch_dump_path {
      guard options.hitch_dump_limit > 0 else { throw CallFailure(SCROLLTRACE_ERROR_ARGUMENT) }
      hitchDumps = HitchDumpPolicy(of: options.hitch_dump_limit, to: String(cString: path))
    }
  }

  /// Whether the host sets nothing behind the members this version knows, which begin again at
  /// `offset`: what it sets there it would believe to hold.
  private static func isZero(
    _ given: UnsafePointer<scrolltrace_options>, from offset: Int
  ) -> Bool {
    let size = given.pointee.struct_size
    // No version has so many members; more is a size that was never set.
    guard size <= 4096 else { return false }
    let bytes = UnsafeRawBufferPointer(start: given, count: size)
    return bytes.dropFirst(offset).allSatisfy { $0 == 0 }
  }
}

/// Why a call failed, as the host is told.
struct CallFailure: Error {
  /// What the call returns.
  var result: scrolltrace_result
  /// What a person reads.
  var message: String
  /// The system's error number; 0 where the system had nothing to say.
  var systemError: Int32 = 0

  /// A failure of which nothing more is known.
  init(_ result: scrolltrace_result) {
    self.result = result
    message = result.text.description
  }

  /// A failure that is the host's.
  init(_ result: scrolltrace_result, _ message: String) {
    self.result = result
    self.message = message
  }

  /// What the recorder says.
  init(_ error: RecorderError) {
    result = error.errorNumber == 0 ? SCROLLTRACE_ERROR_FILE : SCROLLTRACE_ERROR_SYSTEM
    message = error.description
    systemError = error.errorNumber
  }

  /// Runs `body` and tells the host in `target`, where it wants to know, what became of it.
  static func report(
    to target: UnsafeMutablePointer<scrolltrace_error>?,
    _ body: () throws(CallFailure) -> Void
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

  private func write(to target: UnsafeMutablePointer<scrolltrace_error>) {
    target.pointee.code = Int32(truncatingIfNeeded: result.rawValue)
    target.pointee.system_error = systemError
    withUnsafeMutableBytes(of: &target.pointee.message) { bytes in
      // The last byte stays 0, and a character that is cut goes as a whole.
      let text = Array(message.utf8.prefix(bytes.count - 1))
      let isCut = text.count < message.utf8.count
      let whole = isCut ? text[..<(text.lastIndex { $0 & 0xC0 != 0x80 } ?? 0)] : text[...]
      bytes.copyBytes(from: whole)
    }
  }
}

extension scrolltrace_result {
  /// The line about the result.
  var text: StaticString {
    switch self {
    case SCROLLTRACE_OK: "no error"
    case SCROLLTRACE_ERROR_ARGUMENT: "an argument is missing or makes no sense"
    case SCROLLTRACE_ERROR_SYSTEM: "the system refused; its error number says why"
    case SCROLLTRACE_ERROR_VERSION:
      "the options ask for what this version of the library lacks; install a newer one"
    case SCROLLTRACE_ERROR_FILE: "the trace file is gone, or is no longer the recording's"
    default: "unknown result"
    }
  }
}
