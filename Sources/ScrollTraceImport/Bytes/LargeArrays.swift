internal import CImportShims

/// The memory of large arrays, which a process that reads many traces must not keep.
package enum LargeArrays {
  /// Returns the memory of large arrays to the system as soon as they are freed. For one trace, it is
  /// faster to keep it.
  package static func returnToSystem() { scrolltrace_return_large_arrays() }
}
