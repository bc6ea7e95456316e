import ScrollTraceAnalysis
package import ScrollTraceModel

/// The stable identifiers of a report's JSON: values that programs compare, not texts for people.
package enum JSONWord {
  /// The identifier of the reason of a loss.
  ///
  /// Recordings store the same reasons in kebab case, with the words of their format.
  package static func reason(_ reason: Loss.Reason) -> String {
    switch reason {
    case .recordedAfterFinish: return "recordedAfterFinish"
    case .endBeforeBegin: return "endBeforeStart"
    default:
      let words = reason.rawValue.split(separator: "-")
      return words.dropFirst().reduce(String(words.first ?? "")) {
        $0 + $1.prefix(1).uppercased() + $1.dropFirst()
      }
    }
  }

  static func kind(of note: ComparisonNote) -> String {
    switch note {
    case .noData: "noData"
    case .noSurface: "noSurface"
    case .runsWithoutData: "runsWithoutData"
    case .lostData: "lostData"
    case .otherScenario: "otherScenario"
    case .runsOfOtherScenario: "runsOfOtherScenario"
    case .otherLength: "otherLength"
    case .otherRates: "otherRefreshRates"
    case .otherBasis: "otherBasis"
    case .otherDeviceState: "otherDeviceState"
    case .renamedCategory: "renamedCategory"
    }
  }

  static func kind(of notice: AnalysisNotice) -> String {
    switch notice {
    case .trace(.notClosed): "notFinished"
    case .trace(.keepsLastPart): "retainsLastPart"
    case .trace(.presentedBeforeStart): "presentedBeforeStart"
    case .trace(.noMainTrack): "noMainTrack"
    case .trace(.noFrames): "noFrames"
    case .trace(.repeatedFrameNumbers): "repeatedFrameNumbers"
    case .trace(.unfinishedSpans): "openSpans"
    case .trace(.implausibleThreadTimes): "implausibleThreadTimes"
    case .trace(.overlappingThreadStates): "overlappingThreadStates"
    case .trace(.tooManyThreadStates): "tooManyThreadStates"
    case .trace(.commitsOnOtherThread): "commitsOnOtherThread"
    case .trace(.source): "source"
    case .fewFrames: "fewFrames"
    case .noData: "noData"
    case .noInterval: "noRefreshInterval"
    case .noInteractions: "noInteractions"
    case .noMarks: "noMarks"
    case .interactionOutside: "interactionOutside"
    case .unfinishedInteraction: "unfinishedInteraction"
    case .unfinishedFrames: "unfinishedFrames"
    case .motionsNotEvaluated: "motionsNotEvaluated"
    case .noFreeCore: "noFreeCore"
    case .leftOut: "omitted"
    }
  }
}
