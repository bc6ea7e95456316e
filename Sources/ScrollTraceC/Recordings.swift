// The functions are called as the header calls them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CScrollTrace
internal import ScrollTraceRecorder

/// The version of the library: that of the header it was built with.
@c @implementation
public func scrolltrace_version() -> UInt32 {
  UInt32(
    SCROLLTRACE_VERSION_MAJOR * 1_000_000 + SCROLLTRACE_VERSION_MINOR * 1000
      + SCROLLTRACE_VERSION_PATCH)
}

/// A line about a result.
@c @implementation
public func scrolltrace_error_message(_ result: scrolltrace_result) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(result.text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Begins a recording.
@c @implementation
public func scrolltrace_open(
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
public func scrolltrace_finish(
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
public func scrolltrace_dump(
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
public func scrolltrace_get_dump_count(
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
public func scrolltrace_set_enabled(_ recorder: OpaquePointer?, _ enabled: Bool) {
  TraceRecorder(recorder)?.isEnabled = enabled
}

/// Whether events are recorded.
@c @implementation
public func scrolltrace_is_enabled(_ recorder: OpaquePointer?) -> Bool {
  TraceRecorder(recorder)?.isEnabled ?? false
}

/// The recorder's clock now.
@c @implementation
public func scrolltrace_now(_ recorder: OpaquePointer?) -> Int64 {
  TraceRecorder(recorder)?.now() ?? unknown
}

/// Counts what is lost.
@c @implementation
public func scrolltrace_get_losses(
  _ recorder: OpaquePointer?, _ losses: UnsafeMutablePointer<scrolltrace_losses>?
) {
  guard let losses else { return }
  let lost = TraceRecorder(recorder)?.losses
  let counts = scrolltrace_losses(
    struct_size: losses.pointee.struct_size, no_chunk: lost?.noChunk ?? 0,
    too_big: lost?.tooBig ?? 0, after_close: lost?.afterClose ?? 0)
  let count = min(max(0, losses.pointee.struct_size), MemoryLayout<scrolltrace_losses>.size)
  withUnsafeBytes(of: counts) { bytes in
    UnsafeMutableRawBufferPointer(start: losses, count: count)
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
  }
}
