import Foundation
import SluiceHub
import SluiceStore
import SluiceStreams

// usage: SluiceHubBenchmarks [--quick] [reads | starts | events]
//
// The hub against the smallest server on Hummingbird that answers the same bytes, each in a process of its own, in rounds
// that take turns. Linux: what a process has and uses is read from /proc.

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 3, arguments[0] == "--serve" {
    let onReady: @Sendable (Int) -> Void = { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) }
    // It ends with the process that has started it.
    Thread.detachNewThread {
        while !FileHandle.standardInput.availableData.isEmpty {}
        exit(0)
    }
    if arguments[1] == "hub" {
        try await HubServer(store: try SQLiteStreamStore(path: arguments[2]), port: 0).run(onReady: onReady)
    } else {
        try await BareServer.run(URL(fileURLWithPath: arguments[2]), onReady: onReady)
    }
    exit(0)
}
var isQuick = false
if let at = arguments.firstIndex(of: "--quick") {
    isQuick = true
    arguments.remove(at: at)
}
let wanted = arguments.first
let parts = ["reads", "starts", "events"].filter { part in wanted.map { part.contains($0) } ?? true }
if parts.isEmpty {
    print("no such part; parts: reads, starts, events")
    exit(64)
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-bench-\(UUID())")
try await prepare(folder)
defer { try? FileManager.default.removeItem(at: folder) }
if parts.contains("reads") { try measureReads(folder, rounds: isQuick ? 2 : 7, seconds: isQuick ? 1 : 2) }
if parts.contains("starts") { try measureStarts(folder, rounds: isQuick ? 2 : 7, reads: isQuick ? 500 : 2000) }
if parts.contains("events") {
    try await measureEvents(folder, rounds: isQuick ? 1 : 5, events: isQuick ? 12 : 40, size: 1000)
}
