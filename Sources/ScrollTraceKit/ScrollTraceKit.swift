// What tests and tools need to open traces, analyze them and speak of them, as one import.

@_exported public import ScrollTraceAnalysis
@_exported public import ScrollTraceExport
@_exported public import ScrollTraceImport
@_exported public import ScrollTraceModel
@_exported public import ScrollTraceReport
