import Foundation
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What is installed is what the header declares, and it can be used from there.
struct LibraryTests {
  @Test func `the list of exports equals the header's functions`() throws {
    let exports = try String(
      contentsOf: Library.sources.appendingPathComponent("exports.map"), encoding: .utf8)
    let listed = exports.matches(of: /(scrolltrace_\w+);/).map { String($0.1) }
    #expect(listed == listed.sorted())
    #expect(Set(listed) == (try Library.declaredFunctions()))
  }

  @Test func `the header's names are those of the recording layout (F-4)`() throws {
    let header = try String(contentsOf: Library.header, encoding: .utf8)
    var words: [String: String] = [:]
    for match in header.matches(of: /#define SCROLLTRACE_(\w+) SCROLLTRACE_NAME\("([^"]+)"\)/) {
      words[String(match.1)] = String(match.2)
    }
    let expected: [(String, StaticString)] = [
      ("PHASE_EVENT", Vocabulary.Phase.event), ("PHASE_UPDATE", Vocabulary.Phase.update),
      ("PHASE_LAYOUT", Vocabulary.Phase.layout), ("PHASE_DRAW", Vocabulary.Phase.draw),
      ("PHASE_PREPARE", Vocabulary.Phase.prepare), ("PHASE_COMMIT", Vocabulary.Phase.commit),
      ("OUTCOME_PRESENTED", Vocabulary.Outcome.presented),
      ("OUTCOME_DROPPED", Vocabulary.Outcome.dropped),
      ("OUTCOME_NOT_REQUESTED", Vocabulary.Outcome.notRequested),
      ("CATEGORY_WORK", Vocabulary.Category.work), ("CATEGORY_CELL", Vocabulary.Category.cell),
      ("CATEGORY_IMAGE", Vocabulary.Category.image), ("CATEGORY_DATA", Vocabulary.Category.data),
      ("CATEGORY_WAITING", Vocabulary.Category.waiting),
      ("INTERACTION_DRAG", Vocabulary.Interaction.drag),
      ("INTERACTION_DECELERATION", Vocabulary.Interaction.deceleration),
      ("INTERACTION_ANIMATION", Vocabulary.Interaction.animation),
      ("INTERACTION_REORDER", Vocabulary.Interaction.reorder),
      ("INTERACTION_PAGING", Vocabulary.Interaction.paging),
      ("INTERACTION_REFRESH", Vocabulary.Interaction.refresh),
      ("CELL_FETCH", Vocabulary.Cell.fetch), ("CELL_DEQUEUE", Vocabulary.Cell.dequeue),
      ("CELL_CREATE", Vocabulary.Cell.create),
      ("CELL_PREPARE_FOR_REUSE", Vocabulary.Cell.prepareForReuse),
      ("CELL_CONFIGURE", Vocabulary.Cell.configure), ("CELL_SIZE", Vocabulary.Cell.size),
      ("CELL_PREPARE", Vocabulary.Cell.prepare),
      ("CELL_WILL_DISPLAY", Vocabulary.Cell.willDisplay),
      ("CELL_DID_END_DISPLAYING", Vocabulary.Cell.didEndDisplaying),
      ("CELL_DISCARD", Vocabulary.Cell.discard), ("IMAGE_DECODE", Vocabulary.Image.decode),
      ("IMAGE_THUMBNAIL", Vocabulary.Image.thumbnail),
      ("IMAGE_DOWNLOAD", Vocabulary.Image.download),
      ("IMAGE_PLACEHOLDER", Vocabulary.Image.placeholder),
      ("IMAGE_FINAL", Vocabulary.Image.final), ("IMAGE_CACHE_HIT", Vocabulary.Image.cacheHit),
      ("IMAGE_CACHE_MISS", Vocabulary.Image.cacheMiss), ("IMAGE_EVICT", Vocabulary.Image.evict),
      ("DATA_LOAD", Vocabulary.Data.load),
      ("DATA_APPLY_SNAPSHOT", Vocabulary.Data.applySnapshot),
      ("DATA_PREFETCH", Vocabulary.Data.prefetch),
      ("DATA_CANCEL_PREFETCH", Vocabulary.Data.cancelPrefetch),
      ("DATA_LATE_RESULT", Vocabulary.Data.lateResult),
    ]
    #expect(Set(words.keys) == Set(expected.map(\.0)))
    for (name, word) in expected { #expect(words[name] == word.description, "\(name)") }
  }
}
