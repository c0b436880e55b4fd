import Foundation
import SluiceConnect
import SluiceHub
import SluiceStore

// usage: SluiceHubBenchmarks [--quick] [--check FILE] [--set-bounds FILE] [reads | starts | events | durable | writes | outbox]
//
// The hub against the smallest server on Hummingbird that answers the same bytes, each in a process of its own, in rounds
// that take turns. Linux: what a process has and uses is read from /proc.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 3, arguments[0] == "--serve" {
    let onReady: @Sendable (Int) -> Void = { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) }
    // It ends with the process that has started it.
    Thread.detachNewThread {
        while !FileHandle.standardInput.availableData.isEmpty {}
        exit(0)
    }
    if arguments[1] == "hub" {
        var settings = HubSettings()
        settings.allowedHosts = [try AllowedHost("127.0.0.1")]
        // All subscribers come from one address.
        settings.limits.connections = 12_000
        settings.limits.connectionsPerAddress = 12_000
        settings.limits.subscribers = 12_000
        let store = try SQLiteStreamStore(path: arguments[2])
        try await HubServer(store: store, port: 0, settings: settings).run(onReady: onReady)
    } else {
        try await BareServer.run(URL(fileURLWithPath: arguments[2]), onReady: onReady)
    }
    exit(0)
}
let options = Options(arguments)
let isQuick = options.isQuick
if options.words.first == "growth" {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-bench-\(UUID())")
    try await prepare(folder)
    let words = options.words.dropFirst()
    try await Growth.run(folder, to: words.first ?? ".", isQuick: isQuick, only: words.dropFirst().first)
    try? FileManager.default.removeItem(at: folder)
    exit(0)
}
let parts = ["reads", "starts", "events", "durable", "writes", "outbox"].filter { part in
    options.words.isEmpty || options.words.contains { part.contains($0) }
}
if parts.isEmpty {
    print("no such part; parts: reads, starts, events, durable, writes, outbox")
    exit(64)
}
let bounds = try BoundCheck(options)

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-bench-\(UUID())")
try await prepare(folder)
if parts.contains("reads") { try measureReads(folder, rounds: isQuick ? 2 : 7, seconds: isQuick ? 1 : 2, bounds) }
if parts.contains("starts") { try measureStarts(folder, rounds: isQuick ? 2 : 7, reads: isQuick ? 500 : 2000) }
if parts.contains("events") {
    try await measureEvents(folder, rounds: isQuick ? 1 : 5, events: isQuick ? 12 : 40, size: 1000)
}
if parts.contains("durable") { try await Durable.measure(folder, seconds: isQuick ? 5 : 30, bounds) }
if parts.contains("writes") { try await Writes.measure(folder, count: isQuick ? 20 : 100, bounds) }
if parts.contains("outbox") {
    try await Outbox.measure(folder, rounds: isQuick ? 1 : 5, count: isQuick ? 2000 : 20_000, bounds)
}
let isWithinBounds = try bounds.finish()
try? FileManager.default.removeItem(at: folder)
exit(isWithinBounds ? 0 : 1)
