#if canImport(XCTest)
  public import ScrollTraceKit
  internal import XCTest

  /// Asserts that runs meet a budget.
  ///
  /// ```swift
  /// try XCTAssertScrolling(TraceRuns(of: "SampleTraces/feed-smooth.fxt"), meets: .scroll)
  /// ```
  ///
  /// The first line of a failure lists the exceeded limits; the graph follows. A pass with a warning is
  /// printed, since XCTest has no warnings.
  ///
  /// - Throws: `XCTSkip` if a limit cannot be evaluated.
  /// - Parameters:
  ///   - runs: The runs. An error is a failure.
  ///   - budget: The limits. Baselines have no effect here; use `scrolltrace check`.
  ///   - isStrict: Whether limits that cannot be evaluated and too few runs fail; else
  ///     the test is skipped.
  ///   - allowsLoss: Whether traces that lost data can pass.
  ///   - file: The file of the assertion.
  ///   - line: The line of the assertion.
  public func XCTAssertScrolling(
    _ runs: @autoclosure () throws -> TraceRuns, meets budget: Budget, isStrict: Bool = false,
    allowsLoss: Bool = false, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    do {
      let outcome = CheckOutcome(
        try runs(), budget, isStrict: isStrict, allowsLoss: allowsLoss)
      if !outcome.isEvaluated, !isStrict {
        throw XCTSkip(outcome.description, file: file, line: line)
      } else if !outcome.passed {
        XCTFail(outcome.failureMessage, file: file, line: line)
      } else if outcome.hasWarnings {
        print("\(file):\(line): warning: \(outcome.description)")
      }
    } catch let skip as XCTSkip {
      throw skip
    } catch {
      XCTFail("\(error)", file: file, line: line)
    }
  }
#endif
