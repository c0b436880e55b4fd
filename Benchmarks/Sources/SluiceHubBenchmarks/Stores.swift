import Foundation
import SluiceRuns
import SluiceStore

/// Makes two stores, of 12 streams and of 10,000, and has a hub write down for each what it answers.
func prepare(_ folder: URL) async throws {
    for (name, count) in [("few", 12), ("many", 10_000)] {
        let answers = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: answers, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("\(name).sqlite").path
        var drafts = [StreamDraft(id: Sample.id, name: "Ticks", text: Sample.text)]
        for number in 1..<count {
            let (id, name) = ("stream-\(number)", "Stream \(number)")
            let text =
                #"{"id": "\#(id)", "name": "\#(name)", "description": "Every second one more", "#
                + #""source": {"interval": {"seconds": 1}}, "operators": [{"scan": {"initialValue": 0, "expression": "acc + x"}}]}"#
            drafts.append(StreamDraft(id: id, name: name, text: text))
        }
        do {
            let store = try SQLiteStreamStore(path: path)
            try await store.create(drafts, by: "bench")
        }
        let hub = try ServerProcess.hub(folder, name)
        defer { hub.stop() }
        try Sample.take(from: hub.port, to: answers)
    }
}

/// A hub with a store, and a bare server that answers the same.
func servers(_ folder: URL, _ name: String) throws -> (hub: ServerProcess, bare: ServerProcess) {
    let (hub, bare) = (try ServerProcess.hub(folder, name), try ServerProcess.bare(folder, name))
    for path in ["/streams", "/streams/\(Sample.id)"] { try Sample.check(hub.port, bare.port, path) }
    return (hub, bare)
}

extension ServerProcess {
    static func hub(_ folder: URL, _ name: String) throws -> ServerProcess {
        try ServerProcess(["hub", folder.appendingPathComponent("\(name).sqlite").path])
    }

    static func bare(_ folder: URL, _ name: String) throws -> ServerProcess {
        try ServerProcess(["bare", folder.appendingPathComponent(name).path])
    }
}
