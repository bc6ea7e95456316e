// swift-format-ignore-file
// As much of an Apple framework as the adapters use, with the declarations of its documentation, so
// that their code can be checked where the framework is not. Nothing here does anything.
// Since when each is there: UIUpdateLink.h of the iOS SDK, which is not there for Mac Catalyst, and
// developer.apple.com/documentation/uikit/uiscrollview/ispagingenabled.

@_exported import CoreGraphics
@_exported import QuartzCore

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {
  public init(frame: CGRect) {}
  public required init?(coder: NSCoder) {}
  public convenience override init() { self.init(frame: CGRect()) }
  open var window: UIWindow? { nil }
  open var superview: UIView? { nil }
  open var subviews: [UIView] { [] }
  open var isUserInteractionEnabled: Bool = true
  open func didMoveToWindow() {}
}

@MainActor open class UIWindow: UIView {
  open var screen: UIScreen { UIScreen() }
}

@MainActor open class UIScreen: NSObject {
  open var maximumFramesPerSecond: Int { 60 }
}

public enum UIUserInterfaceIdiom: Int, Sendable { case unspecified = -1, phone, pad }

@MainActor open class UIDevice: NSObject {
  open class var current: UIDevice { UIDevice() }
  open var systemName: String { "" }
  open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
}

@MainActor open class UIGestureRecognizer: NSObject {
  open func addTarget(_ target: Any, action: Selector) {}
}

@MainActor open class UIPanGestureRecognizer: UIGestureRecognizer {}

@MainActor open class UIScrollView: UIView {
  open var panGestureRecognizer: UIPanGestureRecognizer { UIPanGestureRecognizer() }
  open var isDragging: Bool { false }
  open var isDecelerating: Bool { false }
  open var contentOffset: CGPoint = .zero
  @available(tvOS, unavailable)
  open var isPagingEnabled: Bool = false
  open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {}
}

@MainActor open class UIApplication: NSObject {
  public nonisolated static let didEnterBackgroundNotification = Notification.Name("pause")
  public nonisolated static let willEnterForegroundNotification = Notification.Name("resume")
}

@available(iOS 18, tvOS 18, visionOS 2, *)
@available(macCatalyst, unavailable)
@MainActor open class UIUpdateLink: NSObject {
  public init(view: UIView) {}
  open var isEnabled: Bool = false
  open var requiresContinuousUpdates: Bool = false
  open func addAction(
    to phase: UIUpdateActionPhase, handler: @escaping (UIUpdateLink, UIUpdateInfo) -> Void
  ) {}
}

@available(iOS 18, tvOS 18, visionOS 2, *)
@available(macCatalyst, unavailable)
@MainActor open class UIUpdateInfo: NSObject {
  open var modelTime: TimeInterval { 0 }
  open var completionDeadlineTime: TimeInterval { 0 }
  open var estimatedPresentationTime: TimeInterval { 0 }
}

@available(iOS 18, tvOS 18, visionOS 2, *)
@available(macCatalyst, unavailable)
@MainActor open class UIUpdateActionPhase: NSObject {
  open class var afterUpdateScheduled: UIUpdateActionPhase { fatalError() }
  open class var beforeEventDispatch: UIUpdateActionPhase { fatalError() }
  open class var afterEventDispatch: UIUpdateActionPhase { fatalError() }
  open class var beforeCADisplayLinkDispatch: UIUpdateActionPhase { fatalError() }
  open class var afterCADisplayLinkDispatch: UIUpdateActionPhase { fatalError() }
  open class var beforeCATransactionCommit: UIUpdateActionPhase { fatalError() }
  open class var afterCATransactionCommit: UIUpdateActionPhase { fatalError() }
}

@MainActor open class UICollectionView: UIScrollView {
  open func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell { UICollectionViewCell() }
}

@MainActor open class UICollectionViewCell: UIView {}

@MainActor open class UIViewController: UIResponder {
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
  public required init?(coder: NSCoder) {}
  open var view: UIView!
  open func loadView() {}
  open func viewDidAppear(_ animated: Bool) {}
}

@available(tvOS, unavailable)
@MainActor open class UIActivityViewController: UIViewController {
  public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
    super.init(nibName: nil, bundle: nil)
  }
  public required init?(coder: NSCoder) { nil }
}

@available(tvOS, unavailable)
@MainActor open class UIActivity: NSObject {}

@MainActor open class UILabel: UIView {
  open var text: String?
}

@MainActor open class UITableViewCell: UIView {
  open var textLabel: UILabel? { nil }
}

@MainActor open class UITableView: UIScrollView {
  public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }
  open weak var dataSource: (any UITableViewDataSource)?
  open weak var delegate: (any UITableViewDelegate)?
  open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
  open func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell { UITableViewCell() }
  open func scrollToRow(
    at indexPath: IndexPath, at scrollPosition: UITableView.ScrollPosition, animated: Bool
  ) {}
}

@MainActor public protocol UITableViewDelegate: UIScrollViewDelegate {}

@MainActor public protocol UITableViewDataSource: AnyObject {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell
}

extension IndexPath {
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  public var row: Int { self[1] }
  public var item: Int { self[1] }
}

@MainActor public protocol UIScrollViewDelegate: AnyObject {}
@MainActor public protocol UICollectionViewDelegate: UIScrollViewDelegate {}

@MainActor public protocol UICollectionViewDataSource: AnyObject {
  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
}

@MainActor public protocol UICollectionViewDataSourcePrefetching: AnyObject {
  func collectionView(
    _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
}
