import Foundation
import ScrollTraceAdapters
import ScrollTraceRecorder
import SwiftUI
import UIKit

struct FeedTable: UIViewControllerRepresentable {
  let recording: Recording

  func makeUIViewController(context: Context) -> FeedTableController {
    FeedTableController(recording)
  }

  func updateUIViewController(_ controller: FeedTableController, context: Context) {}
}

/// A table with one line of the recorder at each place where its cells and its motion are known.
final class FeedTableController: UIViewController, UITableViewDataSource, UITableViewDelegate {
  private let table = UITableView()
  private let scroll: ScrollRecorder
  private let cells: CellRecorder<FeedRow>

  init(_ recording: Recording) {
    scroll = recording.table
    cells = CellRecorder(recording.recorder, list: "table") { ItemID($0.id) }
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func loadView() {
    table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
    table.dataSource = self
    table.delegate = self
    view = table
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    // For a recording without a finger, such as on a build server.
    guard ProcessInfo.processInfo.arguments.contains("--scrolls") else { return }
    Task {
      for row in [150, 300, 150, 0] {
        scroll.scrollViewDid(.willAnimate)
        table.scrollToRow(at: IndexPath(row: row, section: 0), at: .top, animated: true)
        try await Task.sleep(nanoseconds: 1_500_000_000)
      }
    }
  }

  // MARK: - The rows

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    FeedRow.all.count
  }

  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    let row = FeedRow.all[indexPath.row]
    return cells.prepare(row, at: indexPath.row, kind: "row") {
      tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
    } configure: { cell in
      cell.textLabel?.text = row.title
    }
  }

  func tableView(
    _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {
    cells.willDisplay(cell, FeedRow.all[indexPath.row], at: indexPath.row)
  }

  func tableView(
    _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {
    cells.didEndDisplaying(cell, FeedRow.all[indexPath.row], at: indexPath.row)
  }

  // MARK: - The motion

  func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {
    scroll.scrollViewDid(.willBeginDragging)
  }

  func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
    scroll.didEndDragging(scrollView, willDecelerate: decelerate)
  }

  func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {
    scroll.scrollViewDid(.didEndDecelerating)
  }

  func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
    scroll.scrollViewDid(.didEndAnimation)
  }

  func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool {
    scroll.scrollViewDid(.willScrollToTop)
    return true
  }

  func scrollViewDidScrollToTop(_ scrollView: UIScrollView) {
    scroll.scrollViewDid(.didScrollToTop)
  }
}
