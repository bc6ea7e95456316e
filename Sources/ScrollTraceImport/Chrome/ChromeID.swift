/// What joins the events of one asynchronous piece of work.
struct ChromeID: Hashable {
  /// The process that the number is valid in; `nil` for a number of the whole trace.
  let process: UInt64?
  /// The number, or a hash of a text that is none.
  let value: UInt64

  /// An id that joins nothing.
  static let none = ChromeID(process: nil, value: 0)

  /// The id of `event` of the process `process`; `nil` where it has none.
  init?(of event: ChromeEvent, in bytes: UnsafeRawBufferPointer, process: UInt64) {
    func view(_ field: ChromeEvent.Field) -> JSONView {
      JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[field.start..<field.end]))
    }
    if event.scopedID.kind == .object {
      let scoped = view(event.scopedID)
      if let local = scoped.member("local") {
        self.init(process: process, value: Self.number(local))
      } else if let global = scoped.member("global") {
        self.init(process: nil, value: Self.number(global))
      } else {
        return nil
      }
    } else if event.id.kind != .missing {
      self.init(process: nil, value: Self.number(view(event.id)))
    } else {
      return nil
    }
  }

  /// The id `value` of the process `process`, or of the whole trace.
  init(process: UInt64?, value: UInt64) {
    self.process = process
    self.value = value
  }

  /// The number that `view` holds: decimal, `"0x…"`, or a hash of anything else.
  static func number(_ view: JSONView) -> UInt64 {
    let text = view.rawText ?? view.bytes
    if text.count > 2, text.count <= 18, text[0] == UInt8(ascii: "0"), text[1] | 0x20 == 0x78 {
      var value: UInt64 = 0
      var isHexadecimal = true
      for byte in text[2...] {
        guard let digit = JSONText.hexDigit(byte) else {
          isHexadecimal = false
          break
        }
        value = value << 4 | UInt64(digit)
      }
      if isHexadecimal { return value }
    }
    if let value = JSONNumber.integer(text) { return UInt64(bitPattern: value) }
    return hash(text)
  }

  /// FNV-1a, the same on every machine; the highest bit is set to stay clear of usual numbers.
  static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash | 1 << 63
  }
}
