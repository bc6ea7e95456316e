// swift-format-ignore-file
// As much of an Apple framework as the adapters use, with the declarations of its documentation, so
// that their code can be checked where the framework is not. Nothing here does anything.

// The points and sizes themselves are Foundation's, here as there.
@_exported import Foundation
