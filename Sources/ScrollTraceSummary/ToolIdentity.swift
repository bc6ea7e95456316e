/// What makes reports and summaries; the only place that contains the version.
package enum ToolIdentity {
  package static let name = "scrolltrace"
  package static let version = "0.1.0"
}
