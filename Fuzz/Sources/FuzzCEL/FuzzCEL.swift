import FuzzDriver

@main
enum FuzzCEL {
    static func main() {
        runFuzzer { start, count in report(exerciseCEL(Array(UnsafeBufferPointer(start: start, count: count)))) }
    }
}
