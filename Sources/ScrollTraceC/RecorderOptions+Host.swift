internal import CScrollTrace
internal import ScrollTraceRecorder

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
    preparedBytes = Int(clamping: options.prepared_bytes)
    replacesExistingFile = options.replaces_existing_file
    isEnabled = !options.starts_off
    recordsAllMainWork = options.records_all_main_work
    sealsChunks = !options.leaves_chunks_unsealed
    if options.ring_bytes != 0 { ringBytes = Int(clamping: options.ring_bytes) }
    if let path = options.hitch_dump_path {
      guard options.hitch_dump_limit > 0 else { throw CallFailure(SCROLLTRACE_ERROR_ARGUMENT) }
      dumpsOnHitch = HitchDumps(of: options.hitch_dump_limit, to: String(cString: path))
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
