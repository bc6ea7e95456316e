package import ScrollTraceModel

/// A format of stacks for a tool that shows flame graphs.
package struct StackFormat: ExportFormat {
  package let name: String
  package let fileEndings: [String]
  private let writing: @Sendable (StackProfile, inout ExportOutput) -> Void

  package static let folded = StackFormat(
    name: "folded", fileEndings: ["folded"], writing: { FoldedStacks.write($0, to: &$1) })
  package static let speedscope = StackFormat(
    name: "speedscope", fileEndings: ["speedscope.json"],
    writing: { SpeedscopeStacks.write($0, to: &$1) })
  package static let firefox = StackFormat(
    name: "firefox", fileEndings: ["firefox.json"], writing: { FirefoxStacks.write($0, to: &$1) })

  package static let all = [folded, speedscope, firefox]

  package func write(_ profile: StackProfile, to output: inout ExportOutput) {
    writing(profile, &output)
  }
}
