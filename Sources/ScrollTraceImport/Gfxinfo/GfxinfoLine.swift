/// A line of a dump, without the blanks around it.
struct GfxinfoLine {
  /// The bytes that are no blank.
  let bytes: UnsafeRawBufferPointer

  /// The line without blanks, and without the second carriage return that old versions of `adb` add.
  init(_ line: UnsafeRawBufferPointer) {
    let blanks: [UInt8] = [0x20, 0x09, 0x0D]
    guard let first = line.firstIndex(where: { !blanks.contains($0) }),
      let last = line.lastIndex(where: { !blanks.contains($0) })
    else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    bytes = UnsafeRawBufferPointer(rebasing: line[first...last])
  }

  /// Whether the line begins with `text`.
  func starts(with text: StaticString) -> Bool {
    bytes.starts(
      with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Whether only dumps of `gfxinfo` have such a line.
  var isMark: Bool {
    starts(with: "Applications Graphics Acceleration Info:")
      || starts(with: "** Graphics info for pid ") || isProfileMark
  }

  /// Whether the line begins or ends a table of frames.
  var isProfileMark: Bool { starts(with: "---PROFILEDATA---") }

  /// Whether the line cannot be one of a table of frames, so that a table before it has ended.
  var endsTable: Bool {
    isMark || starts(with: "View hierarchy:") || starts(with: "Window:")
      || starts(with: "Draw\t") || window != nil
  }

  /// Whether the line has so many fields as only lines of a table have.
  var isOfTable: Bool {
    var count = 0
    for byte in bytes where byte == UInt8(ascii: ",") { count += 1 }
    return count > 8
  }

  /// The text behind `name`; `nil` where the line does not begin with it.
  func text(behind name: StaticString) -> String? {
    starts(with: name)
      ? String(decoding: bytes.dropFirst(name.utf8CodeUnitCount).prefix(4096), as: UTF8.self) : nil
  }

  /// The process of a line such as `** Graphics info for pid 12 [com.example] **`.
  var process: (id: UInt64, name: String)? {
    guard let text = text(behind: "** Graphics info for pid ") else { return nil }
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let first = parts.first, let id = UInt64(first) else { return nil }
    let rest = parts.count > 1 ? String(parts[1]) : ""
    let name = rest.split(separator: "[", maxSplits: 1).last?.prefix { $0 != "]" } ?? ""
    return (id, String(name))
  }

  /// The window of a line such as `com.example/…Activity/…ViewRootImpl@1a2b (visibility=0)`.
  var window: String? {
    guard bytes.last == UInt8(ascii: ")"), bytes.count < 4096 else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let range = text.lastRange(of: " (visibility=") else { return nil }
    return String(text[..<range])
  }

  /// The numbers of a line that holds nothing else, such as those of `Draw Prepare Process Execute`.
  var numbers: [Double]? {
    let parts = bytes.split { $0 == 0x09 || $0 == 0x20 }
    guard 2...16 ~= parts.count else { return nil }
    var numbers: [Double] = []
    for part in parts {
      guard let number = JSONNumber.double(UnsafeRawBufferPointer(rebasing: part)), number >= 0
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}

extension String {
  /// Where `text` begins for the last time.
  fileprivate func lastRange(of text: String) -> String.Index? {
    var place = endIndex
    while place > startIndex {
      place = index(before: place)
      if self[place...].hasPrefix(text) { return place }
    }
    return nil
  }
}
