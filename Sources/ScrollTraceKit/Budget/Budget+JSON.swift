public import ScrollTraceAnalysis
import ScrollTraceImport

extension Budget {
  /// The budget in the text of a `.scrolltrace.json`, whose shape the guide to the gate shows.
  ///
  /// ```swift
  /// let budget = try Budget(json: #"{"limits": {"commitNs.p95": "12 ms"}}"#)
  /// ```
  ///
  /// What is not known, such as the name of a metric, is an error that says what may have been meant.
  public init(json text: String) throws(ImportError) {
    let document = try JSONDocument(text)
    do throws(BudgetDecoder.Mistake) {
      self = try BudgetDecoder.decode(document).budget
    } catch {
      throw ImportError("the budget is wrong: \(error.message)")
    }
  }
}
