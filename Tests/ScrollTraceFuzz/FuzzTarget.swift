import ScrollTracePlatform

/// The part that `SCROLLTRACE_FUZZ_PART` names, or else the readers.
private let part: FuzzPart = {
  guard let name = getenv("SCROLLTRACE_FUZZ_PART") else { return .readers }
  guard let part = FuzzPart(rawValue: String(cString: name)) else {
    fatalError("no part '\(String(cString: name))'; there are \(FuzzPart.allCases)")
  }
  return part
}()

/// What the fuzzer calls with each input. A trap, a read out of bounds, endless work or a broken
/// promise is a find; an error is not.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  part.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
