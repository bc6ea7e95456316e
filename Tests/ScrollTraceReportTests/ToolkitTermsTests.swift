import ScrollTraceModel
import Testing

@testable import ScrollTraceAnalysis
@testable import ScrollTraceReport

/// Advice in the words of the host.
@Suite struct ToolkitTermsTests {
  /// The fixes that a host with this toolkit is given for slow frames of each kind.
  private func fixes(_ toolkit: Toolkit?) -> [String] {
    AdviceTopic.allCases.map { topic in
      FindingText.plain("Change it\(topic, of: toolkit).")
    }
  }

  private static let apple = [
    "prepareForDisplay", "UICollectionView", "CellRegistration", "prefetchItemsAt",
    "dequeueConfiguredReusableCell", "reconfigureItems", "reloadData", "preferredFrameRateRange",
    "cancelPrefetchingForItemsAt",
  ]

  private static let uiKit = [
    "prepareForDisplay", "prepareThumbnail", "byPreparingThumbnail", "UICollectionView",
    "dequeueConfiguredReusableCell",
  ]

  @Test func `advice for other hosts names no function of Apple's`() {
    for toolkit in Toolkit.allCases.map(Optional.some) + [nil]
    where ![.uiKit, .appKit, .swiftUI].contains(toolkit) {
      for fix in fixes(toolkit) {
        #expect(!Self.apple.contains { fix.contains($0) }, "\(fix)")
      }
    }
  }

  @Test func `advice for Compose does not name RecyclerView's functions, nor the reverse`() {
    let views = ["RecyclerView", "RecycledViewPool", "DiffUtil", "notifyItemChanged"]
    #expect(fixes(.compose).allSatisfy { fix in !views.contains { fix.contains($0) } })
    #expect(fixes(.recyclerView).allSatisfy { !$0.contains("Lazy") })
    #expect(fixes(.swiftUI).allSatisfy { fix in !Self.uiKit.contains { fix.contains($0) } })
    #expect(fixes(.appKit).allSatisfy { fix in !Self.uiKit.contains { fix.contains($0) } })
  }

  @Test func `advice has the host's own terms, and none for an unknown host`() {
    let expected: [(Toolkit, String)] = [
      (.uiKit, "prepareForDisplay"), (.appKit, "makeItem"), (.swiftUI, "ForEach"),
      (.compose, "LazyColumn"), (.recyclerView, "DiffUtil"), (.android, "DiffUtil"),
      (.reactNative, "FlashList"), (.flutter, "cacheWidth"), (.gtk, "GtkSignalListItemFactory"),
      (.qtQuick, "reuseItems"), (.web, "AbortController"), (.gameLoop, "an object pool"),
    ]
    for (toolkit, term) in expected {
      #expect(fixes(toolkit).contains { $0.contains(term) }, "\(term)")
    }
    #expect(fixes(nil).allSatisfy { !$0.contains(" (") })
  }

  @Test func `a phase of Flutter's frames is made less, and not moved to another thread`() {
    func advice(_ name: String, _ toolkit: Toolkit?) -> String? {
      ToolkitTerms.advice(onPhase: WorkName(category: "Dart", name: name), of: toolkit)
    }
    #expect(advice("BUILD", .flutter)?.hasPrefix("Rebuild less: const widgets") == true)
    #expect(advice("LAYOUT (root)", .flutter)?.hasPrefix("Lay out less") == true)
    #expect(advice("BUILDER", .flutter) == nil && advice("decode", .flutter) == nil)
    #expect(advice("BUILD", .web) == nil && advice("BUILD", nil) == nil)
  }

  @Test func `a script of a page needs its DOM, unless it only computes`() {
    func needed(_ name: String, _ toolkit: Toolkit?) -> String? {
      WorkTopic.needs(WorkName(category: "devtools.timeline", name: name), in: toolkit)
    }
    #expect(needed("hydrateListItem (list.js:310)", .web) == "DOM")
    #expect(needed("parseFeed (list.js:12)", .web) == nil && needed("RunTask", .web) == nil)
    #expect(needed("-[UILabel setAttributedText:]", nil) == "views")
    #expect(needed("hydrateListItem (list.js:310)", nil) == nil)
  }

  @Test func `a script of another site than the page's says its host`() {
    func host(_ name: String, of category: String = "devtools.timeline") -> String? {
      WorkName(category: category, name: name).otherHost
    }
    #expect(host("poll (widget.help.com/loader.js:1)") == "widget.help.com")
    #expect(host("v8.run (tag.com/gtag.js)", of: "v8") == "tag.com")
    #expect(host("poll (loader.js:1)") == nil && host("Layout") == nil)
    #expect(host("read (a/b)", of: "app") == nil)
  }

  @Test func `a composable is made less, which only Compose's own threads can run`() {
    func advice(_ name: String, _ toolkit: Toolkit?) -> String? {
      ToolkitTerms.advice(onPhase: WorkName(category: "atrace", name: name), of: toolkit)
    }
    let name = "app.feed.FeedItem (FeedScreen.kt:88)"
    #expect(advice(name, .compose)?.hasPrefix("Recompose less") == true)
    #expect(advice(name, .android) == advice(name, .compose))
    #expect(advice("app.feed.FeedItem", .compose) == nil && advice(name, .web) == nil)
  }

  @Test func `each topic has a term somewhere, and each toolkit one for decoding and reuse`() {
    for topic in AdviceTopic.allCases {
      #expect(
        Toolkit.allCases.contains { !ToolkitTerms.parenthesized(topic, of: $0).isEmpty })
      #expect(ToolkitTerms.parenthesized(topic, of: nil).isEmpty)
    }
    for toolkit in Toolkit.allCases {
      #expect(!ToolkitTerms.parenthesized(.decodeImages, of: toolkit).isEmpty)
      #expect(!ToolkitTerms.parenthesized(.reuseCells, of: toolkit).isEmpty)
    }
  }
}
