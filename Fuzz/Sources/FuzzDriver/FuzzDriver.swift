// libFuzzer as a library: its own `main` and SwiftPM's would be two.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs libFuzzer with the arguments of the command line.
public func runFuzzer(_ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt) {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runDriver(&count, &arguments, body)
}

/// Stops at what is not as it must be, so that libFuzzer keeps the input.
public func report(_ problems: [String]) -> CInt {
    if let problem = problems.first { fatalError(problem) }
    return 0
}
