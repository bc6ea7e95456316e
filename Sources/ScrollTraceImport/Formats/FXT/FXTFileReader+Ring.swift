internal import ScrollTraceLayout
internal import ScrollTraceModel

extension FXTFileReader {
  /// The maximum number of bytes of a flight recorder's file that are sorted at once.
  static let ringCapacity = 256 << 20

  /// Reads the chunks of a flight recorder in the order of their numbers: their order in the file
  /// is arbitrary, and simultaneous events keep the order in which they are read (R9).
  ///
  /// The parts of a file that is too large are sorted separately.
  mutating func readRing() throws(ImportError) {
    let first = window.offset
    var bytes: [UInt8] = []
    while true {
      let available = min(try window.fill(RecordingLayout.chunkSize), RecordingLayout.chunkSize)
      guard available > 0, bytes.count + available <= Self.ringCapacity else { break }
      let chunk = UnsafeRawBufferPointer(rebasing: window.bytes[..<available])
      if available >= 8, chunk.word(at: 0) == RecordingLayout.magic { break }
      bytes.append(contentsOf: chunk)
      window.advance(available)
    }
    bytes.withUnsafeBytes { bytes in
      for (index, place) in Self.placesInOrder(bytes).enumerated() {
        let end = min(place + RecordingLayout.chunkSize, bytes.count)
        readChunk(UnsafeRawBufferPointer(rebasing: bytes[place..<end]), at: first + UInt64(place))
        let done = (index + 1) * RecordingLayout.chunkSize
        decoder.batch.growth = max(1, Double(bytes.count) / Double(done))
      }
    }
  }

  /// Returns the offsets of the chunks in `bytes` by chunk number; chunks without one come last.
  private static func placesInOrder(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    stride(from: 0, to: bytes.count, by: RecordingLayout.chunkSize).map { place in
      let end = min(place + RecordingLayout.chunkSize, bytes.count)
      let chunk = FXTChunk(UnsafeRawBufferPointer(rebasing: bytes[place..<end]))
      return (number: chunk?.sequence ?? .max, place: place)
    }.sorted { ($0.number, $0.place) < ($1.number, $1.place) }.map(\.place)
  }
}
