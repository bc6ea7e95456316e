// One import for tests that record a list, open traces, and check both against a budget.

@_exported public import ScrollTraceKit
@_exported public import ScrollTraceRecorder
