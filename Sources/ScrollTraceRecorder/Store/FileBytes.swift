internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// System calls that read and write a trace file.
enum FileBytes {
  /// Writes `bytes` at `offset` and returns how many were written. If fewer, `errno` has the
  /// reason.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) -> Int {
    guard offset + bytes.count <= sizeLimit else {
      errno = EFBIG
      return 0
    }
    return transfer(bytes.count) { done in
      let start = bytes.baseAddress.map { $0 + done }
      return pwrite(descriptor, start, bytes.count - done, off_t(offset + done))
    }
  }

  /// Reads into `bytes` from `offset` and returns how many were read.
  static func read(
    _ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
  ) -> Int {
    transfer(bytes.count) { done in
      let start = bytes.baseAddress.map { $0 + done }
      return pread(descriptor, start, bytes.count - done, off_t(offset + done))
    }
  }

  /// Transfers `size` bytes by calls that get the number of those that are done, and returns how many are in the
  /// end. If fewer, `errno` has the reason.
  private static func transfer(_ size: Int, _ call: (Int) -> Int) -> Int {
    var done = 0
    while done < size {
      let count = call(done)
      if count < 0 && errno == EINTR { continue }
      if count == 0 { errno = ENOSPC }
      guard count > 0 else { break }
      done += count
    }
    return done
  }

  /// The size of the file, or 0 if the system does not say.
  static func size(of descriptor: Int32) -> Int { max(0, Int(lseek(descriptor, 0, SEEK_END))) }

  /// Returns whether the file has no path any more.
  static func isRemoved(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      // An app that asks for a file's status has to give the App Store a reason.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(MAXPATHLEN)) { path in
        guard let start = path.baseAddress else { return false }
        return fcntl(descriptor, F_GETPATH, start) != 0 || access(start, F_OK) != 0
      }
    #else
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    #endif
  }

  /// Returns whether there is something other than a regular file at `path`, or at the end of a link.
  static func isSpecial(at path: String) -> Bool {
    #if canImport(Darwin)
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { return errno != ENOENT }
      defer { close(descriptor) }
      // Only a regular file can be mapped.
      let size = RecordingLayout.pageSize
      guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
      else { return true }
      munmap(start, size)
      return false
    #else
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    #endif
  }

  /// Appends `count` chunks that are one pad each from `offset`. Returns how many are complete and,
  /// if not all are, the reason.
  ///
  /// Blocks are written, never left as holes: if the disk is full, a store to a hole in a mapped
  /// file kills the process, but a write returns an error (W4). Writing whole chunks costs less
  /// than reserving blocks and writing headers, because the system then has the pages in memory,
  /// and uses large ones.
  static func appendPads(
    _ count: Int, to descriptor: Int32, at offset: Int
  ) -> (whole: Int, error: Int32) {
    let size = RecordingLayout.chunkSize
    let allowed = min(count, max(0, sizeLimit - offset) / size)
    let written = writePads(allowed, to: descriptor, at: offset)
    let whole = written / size
    let error = whole < allowed ? errno : EFBIG
    if written > whole * size { _ = ftruncate(descriptor, off_t(offset + whole * size)) }
    return (whole, whole < count ? error : 0)
  }

  /// A chunk that consists of one pad.
  nonisolated(unsafe) private static let pad: UnsafeMutableRawPointer = {
    let size = RecordingLayout.chunkSize
    let image = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    image.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let header = FXTWord.pad(words: UInt64(size / 8)).littleEndian
    image.storeBytes(of: header, as: UInt64.self)
    return image
  }()

  /// Writes pads in as few calls as possible and returns the number of bytes written.
  private static func writePads(_ count: Int, to descriptor: Int32, at offset: Int) -> Int {
    let size = RecordingLayout.chunkSize
    guard count > 0 else { return 0 }
    return withUnsafeTemporaryAllocation(of: iovec.self, capacity: count) { vectors in
      vectors.initialize(repeating: iovec(iov_base: pad, iov_len: size))
      return transfer(count * size) { done in
        let (rest, place) = (done % size, off_t(offset + done))
        guard rest == 0 else { return pwrite(descriptor, pad + rest, size - rest, place) }
        return pwritev(descriptor, vectors.baseAddress, Int32(count - done / size), place)
      }
    }
  }

  /// The maximum size of a file. A write beyond it raises a signal that kills the process.
  private static var sizeLimit: Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let result = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      let result = getrlimit(RLIMIT_FSIZE, &limit)
    #endif
    return result == 0 ? Int(clamping: limit.rlim_cur) : .max
  }

  /// A file mapping, or the memory of a recording that is not mapped.
  struct Map {
    var start: UnsafeMutableRawPointer
    /// The size of the address space in bytes.
    var size: Int
    var destination: RecordingDestination
  }

  /// Maps a file, or allocates memory for one that is not mapped: `wanted` bytes of address space,
  /// or a half, a quarter and so on.
  ///
  /// If the file system or a sandbox does not allow mapping, the file is written with ordinary
  /// writes. Pages after the file's end are not touched before the file has grown.
  static func map(
    _ destination: RecordingDestination, descriptor: Int32, wanted: Int
  ) throws(RecorderError) -> Map {
    if case .mappedFile(let path) = destination {
      if let map = map(wanted, MAP_SHARED, descriptor) {
        return Map(start: map.start, size: map.size, destination: destination)
      }
      return try map(.file(path: path), descriptor: descriptor, wanted: wanted)
    }
    // Chunks may be farther apart in memory than in a file.
    let (first, stride) = placement(of: destination)
    let count = max(0, wanted - RecordingLayout.pageSize) / RecordingLayout.chunkSize
    let (size, overflow) = count.multipliedReportingOverflow(by: stride)
    let space = overflow || size > .max - first ? wanted : first + size
    guard let map = map(max(wanted, space), MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1) else {
      throw .system("cannot map memory for the trace", path: destination.path)
    }
    return Map(start: map.start, size: map.size, destination: destination)
  }

  /// Where chunks are in memory: the first one, and from one to the next. Those of a file that is not
  /// mapped have pages of their own, so that each can be given back once it is written.
  static func placement(of destination: RecordingDestination) -> (offset: Int, stride: Int) {
    guard case .file = destination else {
      return (RecordingLayout.pageSize, RecordingLayout.chunkSize)
    }
    return (1 << 16, 1 << 15)
  }

  private static func map(
    _ wanted: Int, _ flags: Int32, _ descriptor: Int32
  ) -> (start: UnsafeMutableRawPointer, size: Int)? {
    var size = max(wanted, RecordingLayout.pageSize)
    while true {
      let start = mmap(nil, size, PROT_READ | PROT_WRITE, flags, descriptor, 0)
      if let start, start != MAP_FAILED { return (start, size) }
      let minimum =
        RecordingLayout.pageSize + RecorderState.minimumStock * RecordingLayout.chunkSize
      guard errno == ENOMEM, size / 2 >= minimum else { return nil }
      size /= 2
    }
  }
}
