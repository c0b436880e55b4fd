import FuzzDriver

@main
enum FuzzJSON {
    static func main() {
        runFuzzer { start, count in report(exerciseJSON(Array(UnsafeBufferPointer(start: start, count: count)))) }
    }
}
