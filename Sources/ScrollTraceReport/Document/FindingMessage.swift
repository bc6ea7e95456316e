import ScrollTraceAnalysis
import ScrollTraceModel

/// The message of one rule for findings.
struct FindingMessage: Sendable {
  /// The values of a finding, as messages use them.
  struct Values {
    /// The finding.
    let finding: Finding
    /// Converts a name of the trace to what the renderer can show.
    let name: (String) -> String
  }

  /// The rule.
  let id: FindingID
  /// A Boolean value indicating whether the evidence includes the hitch time.
  var includesHitchTime = false
  /// The finding in a few words.
  let title: @Sendable (Values) -> String
  /// The evidence as a sentence without a period, without hitch time and place.
  let evidence: @Sendable (Values) -> String
  /// The fix as sentences.
  let fix: @Sendable (Values) -> String
}

extension FindingMessage.Values {
  /// The details of the finding.
  var details: Finding.Details { finding.details }

  /// Returns the number of occurrences with their noun.
  func count(_ one: String, _ many: String? = nil) -> String {
    Quantity.count(finding.evidence.count, one, many)
  }

  /// Returns "3 of 12 cells": the occurrences among all.
  func part(of noun: String) -> String {
    "\(finding.evidence.count) of \(Quantity.count(details.of ?? 0, noun))"
  }

  /// Returns the total duration between two texts, or an empty string if it is unknown.
  func total(_ before: String, _ after: String = "") -> String {
    finding.evidence.total.map { before + Quantity.length($0) + after } ?? ""
  }

  /// Returns the number of affected hitches with their noun.
  func hitches(_ one: String, _ many: String? = nil) -> String {
    Quantity.count(finding.evidence.hitches, one, many)
  }

  /// The share in percent.
  var share: String { Quantity.share(details.share ?? 0) }
  /// The time.
  var time: String { Quantity.length(details.time ?? .zero) }
  /// The name of the work, in quotes, or an empty string if it has none.
  var work: String {
    guard let work = details.work?.name, !work.isEmpty else { return "" }
    return "'\(name(work))'"
  }
  /// Returns the threads of the finding after `before`, or an empty string if there are none.
  func threads(_ before: String) -> String {
    details.threads.isEmpty ? "" : before + details.threads.map(name).joined(separator: ", ")
  }
  /// The item of the longest occurrence, as the end of a sentence.
  var longestItem: String { details.item.map { ", the longest for item \(name($0))" } ?? "" }
}
