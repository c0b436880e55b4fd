// libFuzzer as a library: its own `main` and SwiftPM's would be two.

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
enum FuzzJSON {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        _ = runFuzzer(&count, &arguments) { start, count in
            let problems = exerciseJSON(Array(UnsafeBufferPointer(start: start, count: count)))
            if let problem = problems.first { fatalError(problem) }
            return 0
        }
    }
}
