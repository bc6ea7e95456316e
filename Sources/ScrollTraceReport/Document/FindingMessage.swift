import ScrollTraceAnalysis
import ScrollTraceModel

/// The message of one rule for findings.
struct FindingMessage: Sendable {
  /// The values of a finding, as messages use them.
  struct Values {
    let finding: Finding
    /// Converts a name of the trace to what the renderer can show.
    let name: (String) -> String
    /// What the host builds its lists with, or `nil` if unknown.
    var toolkit: Toolkit?
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

  /// Returns the host's term for a topic in parentheses after a space, or an empty string if it has none.
  func term(_ topic: AdviceTopic) -> String {
    ToolkitTerms.parenthesized(topic, of: toolkit)
  }

  /// The share in percent.
  var share: String { Quantity.share(details.share ?? 0) }
  var time: String { Quantity.length(details.time ?? .zero) }
  /// The name of the work, in quotes, or an empty string if it has none.
  var work: String {
    guard let work = details.work?.name, !work.isEmpty else { return "" }
    return "'\(name(work))'"
  }
  /// Returns the name of the work between two texts, or an empty string if it has none.
  func work(_ before: String, _ after: String) -> String {
    work.isEmpty ? "" : before + work + after
  }
  /// The items of the longest occurrences: `items 7, 12 and 40`.
  var longestItems: String {
    let items = details.items.map(name)
    guard let last = items.last else { return "" }
    let others = items.dropLast().joined(separator: ", ")
    return items.count == 1 ? "item \(last)" : "items \(others) and \(last)"
  }
  /// How many times the median the longest occurrence is, as the end of a phrase.
  var timesMedian: String {
    guard let longest = details.longest, let median = details.median, median > .zero else {
      return ""
    }
    let times = Double(longest.nanoseconds) / Double(median.nanoseconds)
    return ", \(Quantity.fixed(times, places: 1)) times the median of \(Quantity.length(median))"
  }
  /// The longest cells and what the others take, as the end of a sentence.
  var longestCells: String {
    guard let longest = details.longest else { return "" }
    return "; up to \(Quantity.length(longest))"
      + (details.items.isEmpty ? "" : " for \(longestItems)") + timesMedian
      + (details.of.map { " of \(Quantity.count($0, "call"))" } ?? "")
  }
  /// The longest time without a span and the work around it, as the end of a sentence.
  var gap: String {
    guard let time = details.time else { return "" }
    let around = [
      details.before.map { "after '\(name($0))'" }, details.after.map { "before '\(name($0))'" },
    ].compactMap { $0 }.joined(separator: " and ")
    return "; the longest gap is \(Quantity.length(time))" + (around.isEmpty ? "" : " " + around)
  }
  /// Returns a hitch time ratio with its unit.
  func ratio(_ value: Double?) -> String { Quantity.fixed(value ?? 0, places: 1) + " ms/s" }
  /// The hitch time with its share.
  var causedHitchTime: String {
    "\(Quantity.length(finding.evidence.hitchTime)) of hitch time (\(share))"
  }
  /// Returns the threads of the finding after `before`, or an empty string if there are none.
  func threads(_ before: String) -> String {
    details.threads.isEmpty ? "" : before + details.threads.map(name).joined(separator: ", ")
  }
  /// The item of the longest occurrence, as the end of a sentence.
  var longestItem: String { details.item.map { ", the longest for item \(name($0))" } ?? "" }
}
