import ScrollTraceModel
import Testing

@testable import ScrollTraceAnalysis
@testable import ScrollTraceReport

/// Advice in the words of the host.
@Suite struct ToolkitTermsTests {
  /// All fixes that a host with this toolkit can be given.
  private func fixes(_ toolkit: Toolkit?) -> [String] {
    let text = WorkName(category: "host", name: "shape text")
    return FindingRules.ids.flatMap { id in
      [nil, WorkTopic.text, .layout, .files].map { topic in
        let details = Finding.Details(
          work: text, topic: topic, hasRegistrationForEachCell: topic == .text)
        let finding = Finding(
          id: id, subject: .trace, evidence: Finding.Evidence(count: 1), details: details)
        let values = FindingMessage.Values(finding: finding, name: { $0 }, toolkit: toolkit)
        return FindingMessages.all.first { $0.id == id }?.fix(values) ?? ""
      }
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
      (.flutter, "cacheWidth"), (.gtk, "GtkSignalListItemFactory"),
      (.qtQuick, "reuseItems"), (.web, "AbortController"), (.gameLoop, "an object pool"),
    ]
    for (toolkit, term) in expected {
      #expect(fixes(toolkit).contains { $0.contains(term) }, "\(term)")
    }
    #expect(fixes(nil).allSatisfy { !$0.contains(" (") || $0.contains("mainCpuPerFrameNs") })
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
