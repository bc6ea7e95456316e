import ScrollTraceTesting
import Testing

/// Names under the one import that a test needs.
@Suite struct SurfaceNameTests {
  /// Compiles only if the import has one type of this name.
  private struct Fixture {
    let surface: Surface
  }

  @Test func `the recorder's surface has its own name`() {
    #expect(String(describing: Fixture.self) == "Fixture")
  }
}
