import FuzzDriver

@main
enum FuzzMarbles {
    static func main() {
        runFuzzer { start, count in report(exerciseMarbles(Array(UnsafeBufferPointer(start: start, count: count)))) }
    }
}
