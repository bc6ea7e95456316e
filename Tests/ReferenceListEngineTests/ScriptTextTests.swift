import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

@testable import ReferenceListEngine

/// Sessions and policies as text.
@Suite struct ScriptTextTests {
  @Test func `a session is read as documented`() throws {
    let session = try ScriptText.parse(
      """
      # what somebody did
      scrolltrace session 1

      rest 150ms
      drag -3000 300ms   # a finger
      fling 2500
      at 200ms errand 90ms save draft
      animate 700 400us
      page 2 1s
      reorder 0 800ms
      at 200ms insert 2 0
      at 1300ms delete 1 5
      refresh 900ms
      at 2s change 3
      """)
    #expect(
      session.steps == [
        .rest(150_000_000), .drag(velocity: -3_000_000, for: 300_000_000),
        .deceleration(velocity: 2_500_000), .animation(distance: 700_000, for: 400_000),
        .paging(pages: 2, for: 1_000_000_000), .reorder(pages: 0, for: 800_000_000),
        .refresh(for: 900_000_000),
      ])
    #expect(session.errands == [Errand(at: 200_000_000, "save draft", cost: 90_000_000)])
    #expect(
      session.updates == [
        ListUpdate(at: 200_000_000, .insert(2, at: 0)),
        ListUpdate(at: 1_300_000_000, .delete(1, at: 5)),
        ListUpdate(at: 2_000_000_000, .change(3)),
      ])
  }

  @Test func `lines can end as on any system`() throws {
    for end in ["\n", "\r\n", "\r"] {
      let lines = ["scrolltrace session 1", "rest 1s # a while", "at 5ms change 3", ""]
      let session = try ScriptText.parse(lines.joined(separator: end))
      #expect(session.steps == [.rest(1_000_000_000)])
      #expect(session.updates == [ListUpdate(at: 5_000_000, .change(3))])
    }
  }

  @Test func `a written session reads back identically`() async {
    await forEachCase(of: 1...40, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      let session = RandomScript.script(seed)
      let text = ScriptText.text(of: session)
      let read = try ScriptText.parse(text)
      #expect(read.errands == session.errands && read.updates == session.updates)
      #expect(read.duration == session.duration || read.steps != session.steps)
      #expect(ScriptText.text(of: read) == text)
    }
  }

  @Test func `an invalid session is rejected with the place and the reason`() async {
    await forEachCase(
      of: [
        ("", "nothing moves in the session", nil),
        ("drag 1 1s", "the first line is not 'scrolltrace session 1'", 1),
        ("scrolltrace session 2", "the first line is not 'scrolltrace session 1'", 1),
        ("scrolltrace session 1\n\njump 3", "'jump 3' is not understood", 3),
        ("scrolltrace session 1\nrest 5", "'5' is not a time", 2),
        (
          "scrolltrace session 1\nrest 99999999999999999999s",
          "'99999999999999999999s' is not a time",
          2
        ),
        ("scrolltrace session 1\nrest 3601s", "'3601s' is not a time", 2),
        (
          "scrolltrace session 1\nfling 1000001",
          "'1000001' is not a number from -1000000 to 1000000", 2
        ),
        (
          "scrolltrace session 1\nrest 3600s\n\nfling 11",
          "the movements last longer than an hour", 4
        ),
        (
          "scrolltrace session 1\nrest 1s\nat 1s insert 1000000 0\nat 1s insert 1 0",
          "more than 1000000 items come in", nil
        ),
        ("scrolltrace session 1\nat 5ms", "an event is missing after 'at'", 2),
        ("scrolltrace session 1\nat 5ms dance 4 5", "the event 'dance' is not understood", 2),
        (
          "scrolltrace session 1\nat 5ms change 1\nat 4ms change 1",
          "'4ms' is earlier than the event before", 3
        ),
      ] as [(String, String, Int?)]
    ) { try oneCase($0, $1, $2) }
    @Sendable func oneCase(_ text: String, _ reason: String, _ line: Int?) throws {
      let error = #expect(throws: ScriptError.self) { try ScriptText.parse(text) }
      #expect(error?.reason == reason)
      #expect(error?.line == line)
    }
  }

  @Test func `policies are read`() throws {
    let policies = try EnginePolicies(text: "best,images=thumbnails,registrations=per-cell")
    #expect(policies.cells == .idle && policies.data == .ahead)
    #expect(policies.images == .thumbnails && policies.registrations == .perCell)
    #expect(throws: ScriptError.self) { try EnginePolicies(text: "cells=never") }
    #expect(throws: ScriptError.self) { try EnginePolicies(text: "cell=idle") }
    for name in EnginePolicies.names {
      var next = EnginePolicies()
      for _ in EnginePolicies.values(of: name) { next.chooseNext(for: name) }
      #expect(next == EnginePolicies())
    }
  }
}
