#if canImport(XCTest)
  public import ScrollTraceKit
  internal import XCTest

  /// Asserts in a test of XCTest that runs keep a budget.
  ///
  /// ```swift
  /// XCTAssertScrolling(try TraceRuns(of: "SampleTraces/feed-smooth.fxt"), keeps: .scroll)
  /// ```
  ///
  /// The failure says in its first line what was not kept, and shows the graph below it. What is kept in
  /// doubt, with a warning or with lost data is printed, since XCTest knows no warnings.
  ///
  /// - Parameters:
  ///   - runs: The runs. An error is a failure.
  ///   - budget: The limits. Baselines are for `scrolltrace check`; here they have no effect.
  ///   - isStrict: Whether too few runs and doubt are no pass.
  ///   - allowsLoss: Whether traces that lost data can pass.
  ///   - file: The file of the test.
  ///   - line: The line in it.
  public func XCTAssertScrolling(
    _ runs: @autoclosure () throws -> TraceRuns, keeps budget: Budget, isStrict: Bool = false,
    allowsLoss: Bool = false, file: StaticString = #filePath, line: UInt = #line
  ) {
    do {
      let answer = CheckOutcome(
        try runs(), budget, isStrict: isStrict, allowsLoss: allowsLoss)
      if !answer.passed {
        XCTFail(answer.failureMessage, file: file, line: line)
      } else if answer.hasWarnings {
        print("\(file):\(line): warning: \(answer.description)")
      }
    } catch {
      XCTFail("\(error)", file: file, line: line)
    }
  }
#endif
