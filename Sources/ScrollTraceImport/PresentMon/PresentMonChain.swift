import ScrollTraceModel

/// The frames that a process handed over to one swap chain, in order.
struct PresentMonChain {
  let application: String
  let processID: UInt64
  /// The chain's address, spelled alike by all generations.
  let address: String
  var frames: [PresentMonFrame] = []

  /// A chain without a frame.
  init(application: String, processID: UInt64, address: String) {
    self.application = application
    self.processID = processID
    let digits = address.lowercased().hasPrefix("0x") ? String(address.dropFirst(2)) : address
    self.address =
      UInt64(digits, radix: 16).map { "0x\(String($0, radix: 16, uppercase: true))" } ?? address
  }

  /// Works out, of what the rows leave open, what follows from their lengths.
  mutating func complete(by clock: PresentMonHeader.Clock) {
    // Where nothing else is told, the frames are placed one behind the other.
    var last = PresentMonFrame.Time(0)
    var lastEnd = PresentMonFrame.Time.unknown
    for index in frames.indices {
      var frame = frames[index]
      if case .lengths = clock {
        if frame.between.value != nil {
          frame.present = last + frame.between
          last = frame.present.known(or: last)
        } else {
          frame.start = last
          last = (last + frame.frameTime).known(or: last)
        }
      }
      frame.start = frame.start.known(or: frame.present - frame.busy)
      frame.present = frame.present.known(or: frame.start + frame.busy)
      // Work on a frame can begin when the call with the one before it returned.
      frame.start = frame.start.known(or: lastEnd)
      if let start = frame.start.value, let present = frame.present.value, start > present {
        frame.start = .unknown
      }
      lastEnd = (frame.present + frame.inPresent).known(or: frame.present)
      frames[index] = frame
    }
  }
}
