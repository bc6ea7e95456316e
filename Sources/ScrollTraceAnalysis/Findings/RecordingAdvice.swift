package import ScrollTraceModel

/// How to record what a trace does not show, with the tool that made it.
///
/// This is the only place where advice names the functions of a recorder.
package struct RecordingAdvice {
  /// What to do to see the work that no span covers, as the start of a sentence.
  package let seeWork: String

  /// Creates the advice for the format of a trace, or general advice for a format without an entry.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - isInCommits: Whether the work lies in the times of commits, or `nil` if unknown.
  package init(of trace: Trace, isInCommits: Bool? = nil) {
    let toolkit = Toolkit(of: trace)
    seeWork =
      switch trace.source.format {
      case "fxt" where trace.source.session != nil:
        "Sample stacks (options.stackSampling), or record spans around the main thread's work"
      case "perfetto" where toolkit == .web, "chrome-json" where toolkit != .flutter:
        "Record in the Performance panel of DevTools, which samples scripts, or mark the work with"
          + " performance.measure"
      case "perfetto", "systrace":
        "Record with Perfetto and sample call stacks (linux.perf), or add trace sections to the"
          + " main thread's work"
      case "gfxinfo":
        "Record the same with Perfetto, which shows the main thread's work"
      case "flutter", "chrome-json":
        "Record with Enhance Tracing in DevTools, or add Timeline.timeSync to the work of the UI"
          + " thread"
      case "xctrace":
        "Export the table time-profile too, or mark the main thread's work with OSSignposter"
      case "presentmon" where isInCommits == true:
        "The CPU was busy with these frames until they were presented: record its work with a"
          + " profiler"
      case "presentmon" where isInCommits == false:
        "The CPU waited in these frames (CPUWait): for the GPU where GPUBusy is as long, else because"
          + " of a limit of the frame rate or a wrong --refresh-rate"
      case "presentmon":
        "Look in these rows at which side was busy (CPUBusy, GPUBusy), and record that with a"
          + " profiler"
      case "mangohud":
        "Look in these rows at which side was busy (cpu_load, gpu_load), and record that with a"
          + " profiler"
      case "ndjson", "csv":
        "Write lines for spans around the main thread's work too (NDJSON)"
      default: "Record spans around the main thread's work"
      }
  }
}
