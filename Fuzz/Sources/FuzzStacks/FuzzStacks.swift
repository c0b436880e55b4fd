import FuzzDriver

@main
enum FuzzStacks {
    static func main() {
        runFuzzer { start, count in report(exerciseStacks(Array(UnsafeBufferPointer(start: start, count: count)))) }
    }
}
