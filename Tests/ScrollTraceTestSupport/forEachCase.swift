public import Testing

/// Runs `body` with every one of `values`, as a parameterized test does, but without a line of output
/// for each: only what fails is reported, with its value. A value that fails stops no other.
///
/// `body` is best a function in the test. Swift 6.3 mixes up closures if some are in an `#expect` inside
/// of a closure: the wrong one is called.
public func forEachCase<Values: Sequence>(
  of values: Values, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @Sendable (Values.Element) throws -> Void
) async where Values.Element: Sendable {
  var isEmpty = true
  for value in values {
    isEmpty = false
    await named(value, sourceLocation) { try body(value) }
  }
  if isEmpty { Issue.record("no value to try", sourceLocation: sourceLocation) }
}

/// Runs `body` with every pair of one of `first` and one of `second`.
public func forEachCase<First: Sequence, Second: Sequence>(
  of first: First, _ second: Second, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @Sendable (First.Element, Second.Element) throws -> Void
) async where First.Element: Sendable, Second.Element: Sendable {
  let pairs = first.flatMap { one in second.map { (one, $0) } }
  await forEachCase(of: pairs, sourceLocation: sourceLocation) { try body($0.0, $0.1) }
}

/// Runs `body`; every issue in it gets a comment with `value`.
private func named(
  _ value: some Sendable, _ sourceLocation: SourceLocation, _ body: @Sendable () throws -> Void
) async {
  let naming = IssueHandlingTrait.compactMapIssues { issue in
    let name = String(describingForTest: value)
    var issue = issue
    issue.comments.append("with \(name.count > 200 ? name.prefix(200) + "…" : name)")
    return issue
  }
  @Sendable func attempt() async {
    do {
      try body()
    } catch is ExpectationFailedError {
      // It is an issue already.
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
  do {
    guard let test = Test.current else { return await attempt() }
    try await naming.provideScope(for: test, testCase: .current, performing: attempt)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
