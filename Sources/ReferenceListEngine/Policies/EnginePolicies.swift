/// How the engine does what can be done in several ways; each choice is independent of the others.
package struct EnginePolicies: Equatable, Sendable {
  package enum Cells: String, CaseIterable, Sendable {
    /// When their line is displayed, the whole line in one frame.
    case onDemand = "on-demand"
    /// One in each frame, some lines before it is needed, and on demand where that was too late.
    case oneAhead = "one-ahead"
    /// One after each short commit, in the time that is left, so that the next commit may start late;
    /// none while the content moves too fast.
    case idle
  }

  package enum Data: String, CaseIterable, Sendable {
    /// When its cell is prepared.
    case onDemand = "on-demand"
    /// In order, some lines ahead in the direction of the scroll; what is not needed any more when
    /// that turns round is cancelled.
    case ahead
  }

  /// Where images become bitmaps.
  package enum Images: String, CaseIterable, Sendable {
    /// In the commit, on the main thread.
    case main
    /// On the threads that load them, at their full size.
    case background
    /// On the threads that load them, at the size at which they are shown.
    case thumbnails
  }

  /// What happens when the data of an item comes or changes.
  package enum Updates: String, CaseIterable, Sendable {
    /// The cell that shows the item gets the new content.
    case reconfigure
    /// The cell is thrown away and another one is prepared.
    case reload
    /// The content is written into the cell that was there when the data was asked for, whatever it
    /// shows by now: wrong.
    case captured
  }

  package enum Snapshots: String, CaseIterable, Sendable {
    /// Only what is different changes.
    case differences
    /// All cells are thrown away.
    case reload
  }

  /// When cells are registered.
  package enum Registrations: String, CaseIterable, Sendable {
    /// Once for each kind of cell.
    case once
    /// Each time a cell is asked for, so that none is ever used again: wrong.
    case perCell = "per-cell"
  }

  package var cells = Cells.onDemand
  package var data = Data.onDemand
  package var images = Images.main
  /// What happens when data comes or changes.
  package var updates = Updates.reconfigure
  package var snapshots = Snapshots.differences
  package var registrations = Registrations.once

  /// Everything when it is needed, on the main thread.
  package init() {}

  /// Everything as it should be: cells in spare time, data and images in the background.
  package static var best: EnginePolicies {
    var policies = EnginePolicies()
    policies.cells = .idle
    policies.data = .ahead
    policies.images = .background
    return policies
  }
}

// MARK: - Text

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
