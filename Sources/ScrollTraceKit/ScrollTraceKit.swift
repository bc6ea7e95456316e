// One import for tools and tests that open, analyze and report traces.

@_exported public import ScrollTraceAnalysis
@_exported public import ScrollTraceExport
@_exported public import ScrollTraceGate
@_exported public import ScrollTraceImport
@_exported public import ScrollTraceModel
@_exported public import ScrollTraceReport
@_exported public import ScrollTraceSummary
