extension EnginePolicies {
  /// The names of the choices there are, in order.
  package static let names = ["cells", "data", "images", "updates", "snapshots", "registrations"]

  /// The values that the choice `name` can have; none where there is no such choice.
  package static func values(of name: String) -> [String] {
    switch name {
    case "cells": Cells.allCases.map(\.rawValue)
    case "data": Data.allCases.map(\.rawValue)
    case "images": Images.allCases.map(\.rawValue)
    case "updates": Updates.allCases.map(\.rawValue)
    case "snapshots": Snapshots.allCases.map(\.rawValue)
    case "registrations": Registrations.allCases.map(\.rawValue)
    default: []
    }
  }

  /// The value of the choice `name`, or `nil` if there is no such choice.
  package func value(of name: String) -> String? {
    switch name {
    case "cells": cells.rawValue
    case "data": data.rawValue
    case "images": images.rawValue
    case "updates": updates.rawValue
    case "snapshots": snapshots.rawValue
    case "registrations": registrations.rawValue
    default: nil
    }
  }

  /// Chooses `value` for the choice `name`; `false`, and nothing changed, where there is none such.
  package mutating func choose(_ value: String, for name: String) -> Bool {
    guard Self.values(of: name).contains(value) else { return false }
    cells = name == "cells" ? Cells(rawValue: value) ?? cells : cells
    data = name == "data" ? Data(rawValue: value) ?? data : data
    images = name == "images" ? Images(rawValue: value) ?? images : images
    updates = name == "updates" ? Updates(rawValue: value) ?? updates : updates
    snapshots = name == "snapshots" ? Snapshots(rawValue: value) ?? snapshots : snapshots
    registrations =
      name == "registrations" ? Registrations(rawValue: value) ?? registrations : registrations
    return true
  }

  /// Chooses the value after the present one for the choice `name`, after the last one the first.
  package mutating func chooseNext(for name: String) {
    let values = Self.values(of: name)
    guard let index = values.firstIndex(where: { $0 == value(of: name) }) else { return }
    _ = choose(values[(index + 1) % values.count], for: name)
  }

  /// The choices, as `cells=idle,data=ahead`, all of them.
  package var text: String {
    Self.names.map { "\($0)=\(value(of: $0) ?? "")" }.joined(separator: ",")
  }

  /// The choices that `text` names, such as `cells=idle,data=ahead`, the others as usual; `best`
  /// stands for those of `best`.
  ///
  /// - Throws: Says which part is not understood, and what could stand there.
  package init(text: String) throws(ScriptError) {
    self.init()
    for part in text.split(separator: ",") {
      if part == "best" {
        self = .best
        continue
      }
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(sides[0])
      guard Self.names.contains(name), sides.count == 2 else {
        throw ScriptError(
          reason: "there is no policy '\(part)'",
          advice: "name=value with one of \(Self.names.joined(separator: ", ")), or best")
      }
      guard choose(String(sides[1]), for: name) else {
        throw ScriptError(
          reason: "'\(sides[1])' is not a value of \(name)",
          advice: "one of \(Self.values(of: name).joined(separator: ", "))")
      }
    }
  }
}
