#if canImport(Combine) || OpenCombine
#if !canImport(Combine)
// Makes a DispatchQueue a scheduler for operators such as `receive(on:)`, as it is for Combine.
@_exported public import OpenCombineDispatch
#endif
#endif
