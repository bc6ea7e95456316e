import Testing

@testable import ScrollTraceAnalysis

/// M-16: what a thread waited for, by the function that its samples end in.
@Suite struct WaitKindTests {
  @Test(
    arguments: [
      ("__GI___libc_recv", nil, .process), ("poll", nil, .process), ("fsync", false, .disk),
      ("pread64", false, .disk), ("read", nil, .disk), ("read", true, .disk),
      ("read", false, .process), ("clock_nanosleep", nil, .timer),
      ("__lll_lock_wait_private", nil, .lock), ("memcpy", true, nil),
    ] as [(String, Bool?, Wait.Kind?)])
  func `a function says what was waited for, and read what was read`(
    function: String, readsFromDisk: Bool?, kind: Wait.Kind?
  ) {
    #expect(WaitResolver.kind(ofFunction: function, readsFromDisk: readsFromDisk) == kind)
  }
}
