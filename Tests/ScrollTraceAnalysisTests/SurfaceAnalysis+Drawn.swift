import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

extension SurfaceAnalysis {
  /// The analysis of the surface of a drawing.
  init(_ drawn: DrawnTrace, _ options: AnalysisOptions = AnalysisOptions()) throws {
    self = try #require(TraceAnalyzer(options).analyze(drawn.trace()).surfaces.first)
  }

  /// The analysis of the surface of a trace that is drawn here.
  init(hz: Double?, _ drawing: String) throws { try self.init(DrawnTrace(hz: hz, drawing)) }
}
