import Foundation
import ScrollTraceTestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The recipes for build servers, taken from their guide and run as they stand there.
@Suite struct RecipeTests {
  /// A folder with everything that a build server has: the command, the app, the service's tools.
  private struct Server {
    private let home: TemporaryFolder

    /// - Parameter policy: What the app's list does: `best`, or `images=main` where it is to hitch.
    init(policy: String) throws {
      home = TemporaryFolder()
      let command = try CommandProcess.command()
      try add("bin/scrolltrace", "exec '\(command)' \"$@\"")
      // By the file's name: folders may have numbers that nobody chose.
      let seed = "$(basename \"$1\" | tr -dc 0-9)"
      try add(
        "record-feed",
        "exec '\(command)' demo --record \"$1\" --virtual-time --duration 2s --seed \(seed)"
          + " --policy \(policy)")
      try add("bin/buildkite-agent", "echo \"$@\" > annotated.txt; cat > annotated.md")
      try add(
        "bin/xcrun",
        """
        [ "$1 $2 $3 $4" = "xcresulttool export attachments --path" ] || exit 9
        for run in 1 2 3 4 5; do ./record-feed "$7/feed-$run.fxt" > /dev/null; done
        echo '[]' > "$7/manifest.json"
        """)
      try add("bin/swift", "exit 0")
      try add("Tools/scrolltrace/.build/release/scrolltrace", "exec '\(command)' \"$@\"")
    }

    private func add(_ name: String, _ script: String) throws {
      let path = try home.write("#!/bin/sh\n\(script)\n", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    /// Runs a script as the service does.
    func run(_ script: String) throws -> ShellRun {
      let folder = home.path
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return try ShellRun(
        script, in: folder,
        variables: [
          "PATH": "\(folder)/bin:\(path)", "GITHUB_STEP_SUMMARY": folder + "/summary.md",
          "CI_RESULT_BUNDLE_PATH": folder + "/tests.xcresult", "LANG": "C.UTF-8",
        ], keepsErrors: false)
    }

    func contents(_ name: String) throws -> String { try home.text(of: name) }
  }

  /// What the app's list does, and the status that a check of it has.
  private static let outcomes: [(String, Int32)] = [
    ("best", 0), ("images=main", 1),
  ]

  /// The block of code below a heading of the guide.
  private func block(of heading: String) throws -> String {
    let text = try PackageFiles.text(
      "Sources/ScrollTraceKit/ScrollTraceKit.docc/ContinuousIntegration.md")
    let section = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    let fenced = section.components(separatedBy: "\n## ")[0].components(separatedBy: "```")
    return fenced[1].split(separator: "\n", maxSplits: 1).dropFirst().joined()
  }

  /// The lines of each `run: |` of a workflow.
  private func steps(of workflow: String) -> [String] {
    var steps: [[Substring]] = []
    var depth: Int?
    for line in workflow.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " }.count
      if line.hasSuffix(" run: |") {
        steps.append([])
        depth = indent
      } else if let outer = depth, indent > outer {
        steps[steps.count - 1].append(line.drop { $0 == " " })
      } else {
        depth = nil
      }
    }
    return steps.map { $0.joined(separator: "\n") }
  }

  @Test func `the workflow for GitHub records, evaluates and publishes`() async {
    await forEachCase(of: Self.outcomes) { try oneCase($0, $1) }
    @Sendable func oneCase(_ policy: String, _ status: Int32) throws {
      let server = try Server(policy: policy)
      let steps = steps(of: try block(of: "GitHub Actions"))
      try #require(steps.count == 3)
      #expect(try server.run(steps[0]).status == 0)
      let evaluated = try server.run(steps[1])
      #expect(evaluated.status == status)
      #expect(evaluated.output.contains("::error") == (status == 1))
      #expect(evaluated.output.contains(status == 1 ? "FAIL" : "PASS"))
      #expect(try server.run(steps[2]).status == 0)
      #expect(try server.contents("summary.md").contains(status == 1 ? "FAIL" : "PASS"))
      #expect(try server.contents("scroll.html").hasPrefix("<!DOCTYPE html>"))
    }
  }

  @Test func `the action for GitHub checks traces and publishes the reports`() async {
    await forEachCase(of: Self.outcomes) { try oneCase($0, $1) }
    @Sendable func oneCase(_ policy: String, _ status: Int32) throws {
      let server = try Server(policy: policy)
      let action = PackageFiles.url(".github/actions/scrolltrace").path
      let script = """
        mkdir 'the runs'; ./record-feed 'the runs/feed-1.fxt' > /dev/null
        ./record-feed ./-2.fxt > /dev/null
        export GITHUB_ACTION_PATH='\(action)' GITHUB_OUTPUT=output.txt REPORT='my report'
        export TRACES=$'the runs\n\n-2.fxt\n' ARGUMENTS='--max-ratio=5'
        '\(action)/check.sh'
        """
      let run = try server.run("bash -c '\(script.replacing("'", with: "'\\''"))'")
      #expect(run.status == status, "\(run.output)")
      #expect(run.output.contains("::error") == (status == 1))
      #expect(try server.contents("output.txt") == "status=\(status)\n")
      #expect(try server.contents("summary.md").contains(status == 1 ? "FAIL" : "PASS"))
      #expect(try server.contents("my report/report.html").hasPrefix("<!DOCTYPE html>"))
    }
  }

  @Test(.needs("curl", if: ShellRun.succeeds("curl --version")))
  func `the action for GitHub takes the command from an archive, whatever else is in it`() throws {
    let server = try Server(policy: "best")
    let action = PackageFiles.url(".github/actions/scrolltrace").path
    let script = """
      ./record-feed feed-1.fxt > /dev/null
      mkdir -p dist/st/bin dist/st/share/completions
      cp "$(type -P scrolltrace)" dist/st/bin
      echo complete > dist/st/share/completions/scrolltrace
      tar -C dist -czf st.tar.gz st
      export PATH=/usr/bin:/bin ARCHIVE="file://$PWD/st.tar.gz" RUNNER_TEMP="$PWD/temp"
      export GITHUB_ACTION_PATH="\(action)" GITHUB_OUTPUT=output.txt REPORT=report TRACES=feed-1.fxt
      "\(action)/check.sh"
      """
    let run = try server.run("bash -c '\(script)'")
    #expect(run.status == 0, "\(run.output)")
    #expect(try server.contents("output.txt") == "status=0\n")
  }

  @Test func `the action for GitHub passes each of its inputs on`() throws {
    let text = try PackageFiles.text(".github/actions/scrolltrace/action.yml")
    let inputs = try #require(
      text.components(separatedBy: "inputs:\n").dropFirst().first?
        .components(separatedBy: "outputs:").first)
    let names = inputs.split(separator: "\n").filter { !$0.hasPrefix("    ") }
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " :")) }
    #expect(names == ["traces", "arguments", "report", "archive"])
    for name in names {
      #expect(text.contains("\(name.uppercased()): ${{ inputs.\(name) }}"))
    }
  }

  @Test func `the job for GitLab produces test results and metrics`() async {
    await forEachCase(of: ExtraCases.some(1, of: Self.outcomes.reversed())) { try oneCase($0, $1) }
    @Sendable func oneCase(_ policy: String, _ status: Int32) throws {
      let server = try Server(policy: policy)
      let job = try block(of: "GitLab")
      let script = job.components(separatedBy: "artifacts:")[0].split(separator: "\n")
        .compactMap { line in
          line.hasPrefix("    - ") ? String(line.dropFirst(6)) : nil
        }
      try #require(script.count == 3)
      #expect(try server.run(script.joined(separator: "\n")).status == status)
      let results = try XMLDocument(xmlString: server.contents("scroll.xml"))
      let failures = try results.nodes(forXPath: "//failure")
      #expect(failures.isEmpty == (status == 0))
      #expect(try server.contents("scroll.prom").hasSuffix("# EOF\n"))
    }
  }

  @Test func `the script for Buildkite annotates every outcome`() async {
    await forEachCase(of: ExtraCases.some(1, of: Self.outcomes.reversed())) { try oneCase($0, $1) }
    @Sendable func oneCase(_ policy: String, _ status: Int32) throws {
      let server = try Server(policy: policy)
      #expect(try server.run(try block(of: "Buildkite")).status == status)
      let style = status == 0 ? "success" : "error"
      #expect(
        try server.contents("annotated.txt") == "annotate --style \(style) --context scrolling\n")
      #expect(try server.contents("annotated.md") == server.contents("scroll.md"))
    }
  }

  @Test func `the script for Xcode Cloud evaluates the traces that tests attached`() async {
    await forEachCase(of: ExtraCases.some(1, of: Self.outcomes)) { try oneCase($0, $1) }
    @Sendable func oneCase(_ policy: String, _ status: Int32) throws {
      let server = try Server(policy: policy)
      let script = try block(of: "Xcode Cloud")
      #expect(try server.run(script).status == status)
      // Actions that build have no results to check.
      #expect(try server.run("unset CI_RESULT_BUNDLE_PATH\n" + script).status == 0)
    }
  }
}
