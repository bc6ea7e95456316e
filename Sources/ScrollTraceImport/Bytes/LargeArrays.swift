internal import CImportShims

package enum LargeArrays {
  /// Returns the memory of large arrays to the system as soon as they are freed, for a process that
  /// reads many traces.
  package static func returnToSystem() { scrolltrace_return_large_arrays() }

  /// Keeps the memory of freed arrays for the next ones, for a process that reads one trace.
  package static func keep() { scrolltrace_keep_large_arrays() }
}
