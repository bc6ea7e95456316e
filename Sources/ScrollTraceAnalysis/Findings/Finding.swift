package import ScrollTraceModel

/// Something that the analysis concluded, with its evidence; what to do about it follows from its kind
/// (M-19).
package struct Finding: Hashable, Sendable {
  /// What was found.
  package enum Kind: Hashable, Sendable {
    /// Images became bitmaps on the main thread in frames that hitched; the item of the longest.
    case decodeOnMainThread(item: String?)
    /// Data was read on the main thread in frames that hitched; the item of the longest.
    case loadOnMainThread(item: String?)
    /// Cells were prepared when they were needed, in frames that hitched, although the commits before
    /// had left this much time.
    case preparedOnDemandWhileIdle(spare: TimeSpan)
    /// Cells were made although others had been given back; whether each had a registration of its own.
    case noReuse(hasRegistrationForEach: Bool)
    /// Items got new cells in this many snapshots that changed nothing but their content.
    case reloadInsteadOfReconfigure(snapshots: Int)
    /// Snapshots brought items in or took some out, and this many that stayed got new cells.
    case snapshotReload(items: Int)
    /// Work of this name, when cells come into view, took long in frames that hitched.
    case heavyWillDisplay(category: String, name: String)
    /// Of this many cells that were prepared ahead many were given up unseen.
    case preparedNeverShown(of: Int)
    /// Of this many requests ahead many were answered for items that never came into view.
    case prefetchedNeverShown(of: Int)
    /// Of this many cells that came into view while something moved many did not have their data yet.
    case lateData(of: Int)
    /// Of this many requests ahead many went on although their items had been passed by.
    case prefetchNotCancelled(of: Int)
    /// Results were written into cells that showed another item by then.
    case staleResultInReusedCell
    /// Of this many sizes many were guessed far off, by this part of the true size on average.
    case inaccurateSizeEstimates(of: Int, error: Double)
    /// Frames came at an even pace that is slower than the display.
    case steadilySlowFrames(spacing: TimeSpan, refreshInterval: TimeSpan?)
    /// This part of the hitch time arose after commits that were on time.
    case renderHitches(share: Double)
    /// This part of the hitch time passed while the main thread was idle or waited.
    case hitchesWhileIdle(share: Double)
    /// Nothing hitches, and one commit in twenty has no more than this slack.
    case lowHeadroom(slack: TimeSpan, refreshInterval: TimeSpan)
    /// Too few frames were judged.
    case fewFrames
    /// The recorder could not keep everything.
    case dataLoss
    /// This part of the hitch time is charged to work of one name, which is no list's.
    case longTask(category: String, name: String, share: Double)
  }

  /// What a finding is about.
  package enum Subject: Hashable, Sendable {
    /// The surface of this name.
    case surface(String)
    /// The list of this name.
    case list(String)
    /// The recording itself.
    case trace
  }

  /// Where something happened.
  package struct Occurrence: Hashable, Sendable {
    /// The frame, where it is known.
    package let frame: UInt64?
    /// When.
    package let time: Timestamp
  }

  /// What a finding rests on.
  package struct Evidence: Hashable, Sendable {
    /// How often it was seen, at least once.
    package let count: Int
    /// How long it took, all together; `nil` where it has no length or that is not known.
    package var total: TimeSpan?
    /// The hitches in which it was seen.
    package var hitches = 0
    /// The hitch time of those, inside the denominator of their surface.
    package var hitchTime = TimeSpan.zero
    /// Where it was worst; `nil` where it has no place.
    package var worst: Occurrence?
  }

  /// What was found.
  package let kind: Kind
  /// What it is about.
  package let subject: Subject
  /// What it rests on.
  package let evidence: Evidence
  /// The hitch time that would go if it were mended, as a replay predicts it (M-17); `nil` where that
  /// cannot be said.
  package internal(set) var predictedRemoval: TimeSpan?

  /// What was found, of what, and what that rests on.
  init(kind: Kind, subject: Subject, evidence: Evidence) {
    self.kind = kind
    self.subject = subject
    self.evidence = evidence
  }
}
