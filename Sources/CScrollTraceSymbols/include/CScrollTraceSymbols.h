// Nothing to include. The target only carries the linker settings of the dynamic library CScrollTrace,
// so that no target that a Swift package depends on has unsafe flags.
