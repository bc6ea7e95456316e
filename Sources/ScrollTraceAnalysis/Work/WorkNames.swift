import ScrollTraceModel

/// The names of main-thread work.
///
/// Hosts write numbers, addresses and queries into names: `render post #110866`. Each such name is used
/// once, so that no cause has more than one hitch. Names of one category that differ only in those are one
/// name, if there are many of them: `render post #…`. What a browser records twice, under the name that its
/// tools show and under that of its own function, has the first one, and the steps of its garbage collection
/// are one: nobody can leave out a step.
struct WorkNames: Sendable {
  /// A number of names for one kind of work.
  private struct Group {
    let name: WorkName
    /// The number of names that differ only in numbers and the like, or `nil` if they are others.
    let count: Int?
  }

  /// Functions of Chromium that do nearly all of the work in another span and run only inside it, or do little else
  /// but that work, with the name and a category of that.
  private static let phases: [(function: StaticString, phase: StaticString, category: String)] = [
    ("LocalFrameView::performLayout", "Layout", "devtools.timeline"),
    ("Document::updateStyle", "UpdateLayoutTree", "devtools.timeline"),
    ("Document::recalcStyle", "UpdateLayoutTree", "devtools.timeline"),
    ("Document::rebuildLayoutTree", "UpdateLayoutTree", "devtools.timeline"),
    ("SimpleWatcher::OnHandleReady", "Receive mojo message", "mojom"),
  ]

  /// The fewest names of a group.
  private static let minimumCount = 8
  /// How often a name is used at most, on average, so that it stands for one occasion and not for one kind
  /// of work.
  private static let maximumUse = 4
  /// A number of names that no app has for as many kinds of work.
  private static let manyNames = 64

  private let strings: StringTable
  private let labels: LabelTable
  private var groups: [Group] = []
  /// The group of each label that is in one, and the label that stands for the group.
  private var members: [LabelID: (group: Int, first: LabelID)] = [:]

  /// Creates the names of the work on a track, or of a trace without one.
  init(of trace: Trace, on track: TrackID?) {
    (strings, labels) = (trace.strings, trace.labels)
    addPhases()
    addCollection()
    guard let track else { return }
    var templates: [NameTemplate: [LabelID]] = [:]
    for id in trace.labels.allIDs {
      let label = trace.labels[id]
      guard let template = NameTemplate(trace.strings[label.name], of: label.category) else {
        continue
      }
      templates[template, default: []].append(id)
    }
    let many = templates.filter { $0.value.count >= Self.minimumCount }
      .stablySorted { $0.value[0] < $1.value[0] }
    guard !many.isEmpty else { return }
    var uses = Dictionary(uniqueKeysWithValues: many.flatMap(\.value).map { ($0, 0) })
    for label in trace.tracks[track.index].spans.labels { uses[label]? += 1 }
    for (template, labels) in many {
      let used = labels.filter { uses[$0, default: 0] > 0 }
      let use = used.reduce(0) { $0 + uses[$1, default: 0] }
      guard used.count >= Self.minimumCount,
        use <= used.count * Self.maximumUse || used.count >= Self.manyNames
      else { continue }
      for label in used { members[label] = (groups.count, used[0]) }
      groups.append(
        Group(
          name: WorkName(category: trace.strings[template.category], name: template.name),
          count: used.count))
    }
  }

  /// Gives the functions that run a phase of a page the name of the phase, if the trace has both.
  private mutating func addPhases() {
    let labels = labels
    for (function, phase, category) in Self.phases {
      let outer = labels.allIDs.first {
        strings.matches(labels[$0].name, phase)
          && strings[labels[$0].category].includes(category)
      }
      let inner = labels.allIDs.filter { strings.matches(labels[$0].name, function) }
      guard let outer, !inner.isEmpty else { continue }
      let name = self[outer]
      for label in inner { members[label] = (groups.count, outer) }
      groups.append(Group(name: name, count: nil))
    }
  }

  /// Gives the steps of the garbage collection of V8 one name, if the trace has several.
  private mutating func addCollection() {
    let steps = labels.allIDs.filter { id in
      let name = strings[labels[id].name]
      return name.hasPrefix("V8.GC") || name.hasPrefix("CppGC.")
        || ["MinorGC", "MajorGC"].contains(name)
    }
    guard let first = steps.first, steps.count > 1 else { return }
    for label in steps { members[label] = (groups.count, first) }
    groups.append(Group(name: WorkName(category: "v8", name: "GC"), count: nil))
  }

  subscript(label: LabelID) -> WorkName {
    if let member = members[label] { return groups[member.group].name }
    return WorkName(category: strings[labels[label].category], name: strings[labels[label].name])
  }

  /// The label that stands for all with the same name.
  func representative(of label: LabelID) -> LabelID { members[label]?.first ?? label }

  /// The number of names in the trace that `work` stands for, or `nil` if it is one of them.
  func count(of work: WorkName) -> Int? { groups.first { $0.name == work }?.count }
}

/// A name without what differs between occasions: numbers, addresses, the queries of URLs and literals.
struct NameTemplate: Hashable {
  let category: StringID
  let name: String

  /// Longer names are not compared.
  private static let longestName = 1024
  /// The fewest digits of a hexadecimal number without `0x`, and of a number inside a word.
  private static let minimumHexadecimals = 4
  private static let minimumDigits = 3

  /// Creates the template of a name, or `nil` if nothing is left out.
  init?(_ name: String, of category: StringID) {
    let bytes = Array(name.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.longestName, bytes.contains(where: Self.isVariable)
    else { return nil }
    let isURL = name.includes("://")
    var template: [UInt8] = []
    template.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      var end = index + 1
      if isURL, byte == UInt8(ascii: "?") { break }
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\""),
        let closing = bytes[end...].firstIndex(of: byte)
      {
        template += [byte] + Self.ellipsis + [byte]
        end = closing + 1
      } else if Self.isLetterOrDigit(byte) {
        while end < bytes.count, Self.isLetterOrDigit(bytes[end]) { end += 1 }
        Self.append(bytes[index..<end], to: &template)
      } else {
        template.append(byte)
      }
      index = end
    }
    guard template != bytes else { return nil }
    self.category = category
    self.name = String(decoding: template, as: UTF8.self)
  }

  /// The name of a label without what differs between occasions, or all of it if nothing does.
  static func name(of label: LabelID, in trace: Trace) -> String {
    let name = trace.name(of: label)
    return NameTemplate(name, of: trace.labels[label].category)?.name ?? name
  }

  private static let ellipsis = Array("…".utf8)

  /// Adds a word, without the numbers in it.
  private static func append(_ word: ArraySlice<UInt8>, to template: inout [UInt8]) {
    let isPrefixed = word.starts(with: "0x".utf8) && word.count > 2
    let digits = isPrefixed ? word.dropFirst(2) : word
    let isHexadecimal = digits.allSatisfy(isHexadecimalDigit)
    if isPrefixed && isHexadecimal || word.allSatisfy(isDigit)
      || isHexadecimal && digits.count >= minimumHexadecimals && digits.contains(where: isDigit)
    {
      template += ellipsis
      return
    }
    var index = word.startIndex
    while index < word.endIndex {
      let end = word[index...].firstIndex { !isDigit($0) } ?? word.endIndex
      if end - index >= minimumDigits || end > index && index == word.startIndex {
        template += ellipsis
      } else {
        template += word[index..<end]
      }
      if end < word.endIndex { template.append(word[end]) }
      index = end + 1
    }
  }

  private static func isVariable(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
      || byte == UInt8(ascii: "?")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }
}
