import CRecorderShims
import Testing

/// The walk along frame pointers, on drawn stacks.
@Suite struct FramePointerTests {
  /// A frame record: the saved frame pointer by the number of the caller's record, and the return address.
  private struct Frame {
    var caller: Int?
    var isAsync = false
    var returnAddress: UInt64
  }

  /// Walks a stack of records of 32 bytes, the innermost first.
  private func walk(
    _ frames: [Frame], first: Int = 0, registerIsAsync: Bool = false, top: Int? = nil
  ) -> (addresses: [UInt64], isWhole: Bool) {
    var words = [UInt64](repeating: 0, count: frames.count * 4 + 4)
    return words.withUnsafeMutableBufferPointer { words in
      let base = UInt64(UInt(bitPattern: words.baseAddress))
      func address(_ frame: Int, isAsync: Bool) -> UInt64 {
        base + UInt64(frame) * 32 + 16 | (isAsync ? 1 << 60 : 0)
      }
      for (index, frame) in frames.enumerated() {
        words[index * 4 + 2] = frame.caller.map { address($0, isAsync: frame.isAsync) } ?? 0
        words[index * 4 + 3] = frame.returnAddress
      }
      let registers = scrolltrace_registers(
        pc: 0x1000, sp: base, fp: address(first, isAsync: registerIsAsync), lr: 0)
      var (addresses, count) = ([UInt64](repeating: 0, count: 16), UInt32(0))
      let end = base + UInt64(top.map { $0 * 32 } ?? words.count * 8)
      let isWhole = scrolltrace_walk_frame_pointers(registers, end, &addresses, 16, &count)
      return (Array(addresses.prefix(Int(count))), isWhole)
    }
  }

  @Test func `frames of async functions do not end the walk`() {
    let chain = [
      Frame(caller: 1, isAsync: true, returnAddress: 0x2001),
      Frame(caller: 2, isAsync: true, returnAddress: 0x3001),
      Frame(caller: 3, returnAddress: 0x4001), Frame(caller: nil, returnAddress: 0x5001),
    ]
    let expected: [UInt64] = [0x1000, 0x2000, 0x3000, 0x4000, 0x5000]
    for registerIsAsync in [false, true] {
      let (addresses, isWhole) = walk(chain, registerIsAsync: registerIsAsync)
      #expect(addresses == expected && isWhole)
    }
  }

  @Test func `signatures of return addresses are removed`() {
    let signed = Frame(caller: nil, returnAddress: 0xA5B0_0000_0000_2001)
    #expect(walk([signed]).addresses == [0x1000, 0x2000])
  }

  @Test func `a walk that leaves the stack, or goes back, is cut`() {
    let outside = [Frame(caller: 3, returnAddress: 0x2001), Frame(returnAddress: 0x3001)]
    #expect(walk(outside, top: 2) == ([0x1000, 0x2000], false))
    let back = [Frame(returnAddress: 0x2001), Frame(caller: 0, returnAddress: 0x3001)]
    #expect(walk(back, first: 1) == ([0x1000, 0x3000], false))
    let odd = walk([Frame(caller: nil, returnAddress: 0)])
    #expect(odd == ([0x1000], true))
  }

  @Test func `a deep stack is cut at the limit`() {
    let deep = (0..<40).map { Frame(caller: $0 + 1, returnAddress: 0x2001) }
    let (addresses, isWhole) = walk(deep)
    #expect(addresses.count == 16 && !isWhole)
  }
}
