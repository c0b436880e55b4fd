import FuzzDriver

@main
enum FuzzStreams {
    static func main() {
        runFuzzer { start, count in report(exerciseStreams(Array(UnsafeBufferPointer(start: start, count: count)))) }
    }
}
