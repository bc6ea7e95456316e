import ScrollTraceModel

/// An event of Chrome whose time, place and name have been read, in whatever format it came.
struct ChromeKnownEvent {
  let time: Timestamp
  let place: ChromeTracks.Place
  let entry: ChromeLabels.Entry
  /// The event's category; `nil` where nothing may be named after it.
  let category: UnsafeRawBufferPointer?
  /// The event's arguments as an object of JSON; of other formats as much of them as has a meaning.
  let arguments: JSONView

  var name: StringID { entry.name }
  var label: LabelID { entry.label }
  var meaning: ChromeName { entry.meaning }
}
