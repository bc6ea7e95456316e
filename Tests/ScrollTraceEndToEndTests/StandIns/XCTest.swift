// swift-format-ignore-file
// As much of XCTest as the testing library uses, with the declarations of Apple's documentation: the
// XCTest of Linux has no metrics. Nothing here does anything. Since when each is there: XCTMetric.h; only
// its Measurement is newer than XCTest.

@_exported import Foundation
import ObjectiveC

public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) {}

public struct XCTSkip: Error {
  public init(
    _ message: @autoclosure () -> String? = nil, file: StaticString = #filePath, line: UInt = #line
  ) {}
}

public final class XCTPerformanceMeasurementTimestamp: NSObject {}

public enum XCTPerformanceMeasurementPolarity: Int {
  case prefersSmaller = -1, unspecified, prefersLarger
}

open class XCTPerformanceMeasurement: NSObject {
  public init(
    identifier: String, displayName: String, doubleValue: Double, unitSymbol: String,
    polarity: XCTPerformanceMeasurementPolarity
  ) {}
}

public protocol XCTMetric: NSCopying, NSObjectProtocol {
  func reportMeasurements(
    from startTime: XCTPerformanceMeasurementTimestamp,
    to endTime: XCTPerformanceMeasurementTimestamp
  ) throws -> [XCTPerformanceMeasurement]
  func willBeginMeasuring()
  func didStopMeasuring()
}

extension XCTMetric {
  public func willBeginMeasuring() {}
  public func didStopMeasuring() {}
}
