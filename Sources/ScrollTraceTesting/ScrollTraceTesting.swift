// What a test needs to record a list, to open traces and to hold both against a budget, as one import.

@_exported public import ScrollTraceKit
@_exported public import ScrollTraceRecorder
