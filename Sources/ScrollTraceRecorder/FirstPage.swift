internal import ScrollTraceLayout

/// The first page of a file: the magic record and the session blob.
struct FirstPage {
  /// The page.
  private(set) var bytes = [UInt8](repeating: 0, count: RecordingLayout.pageSize)

  /// The page of a recording that begins now.
  init(options: RecorderOptions, process: UInt64, counterFrequency: UInt64) {
    let payload = RecordingLayout.sessionPayloadOffset
    let name = RecordingLayout.BlobName.session
    // A recording in virtual time that keeps everything has nothing to say that is new in 1.1.
    let isExtended = options.ringBytes != nil || options.clock.systemClock != nil
    let size = isExtended ? RecordingLayout.Session.extendedSize : RecordingLayout.Session.size
    let end = payload + size
    bytes.withUnsafeMutableBytes { page in
      guard let start = page.baseAddress else { return }
      func store(_ word: UInt64, _ offset: Int) {
        (start + offset).storeBytes(of: word.littleEndian, as: UInt64.self)
      }
      typealias Session = RecordingLayout.Session
      let record = RecordingLayout.sessionRecordOffset
      store(RecordingLayout.magic, 0)
      store(
        FXTWord.blob(
          words: (end - record) / 8, nameLength: name.utf8CodeUnitCount,
          payloadLength: size), record)
      RecordBuilder.writeBlobName(name, at: start + record + 8)
      let minor = isExtended ? UInt64(RecordingLayout.minorVersion) : 0
      let versions = UInt64(RecordingLayout.majorVersion) | minor << 16
      store(versions | UInt64(options.clock.profileNumber) << 32, payload + Session.major)
      store(options.session.high, payload + Session.identifier)
      store(options.session.low, payload + Session.identifier + 8)
      store(process, payload + Session.process)
      store(1_000_000_000, payload + Session.ticksPerSecond)
      store(counterFrequency, payload + Session.counterFrequency)
      store(UInt64(RecordingLayout.chunkSize), payload + Session.chunkSize)
      store(UInt64(RecordingLayout.pageSize), payload + Session.pageSize)
      if let bytes = options.ringBytes {
        store(UInt64(ChunkRing(bytes: bytes).leastCount), payload + Session.ringChunks)
      }
      if let anchor = options.openAnchor ?? .now(of: options.clock) {
        anchor.write(to: start + payload + Session.openAnchor)
      }
      RecordBuilder.writePad(from: start + end, to: start + page.count)
    }
  }
}
