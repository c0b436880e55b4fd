import Foundation

/// The responses of a hub, written to files for the bare server.
enum Sample {
    /// The number of events of a step: the run's state, and the value.
    static let events = 2
    /// The stream that is read, run and listened to.
    static let id = "ticks"
    static let text = #"{"id": "ticks", "name": "Ticks", "source": {"interval": {"seconds": 1}}}"#

    /// Asks a hub, which has no run of the stream yet.
    static func take(from port: Int, to folder: URL) throws {
        let connection = try Connection(port: port)
        try write(try connection.get("/streams"), "list", folder)
        try write(try connection.get("/streams/\(id)"), "document", folder)
        try connection.post("/streams/\(id)/step")
        let listener = try Connection(port: port)
        try write(try listener.get("/streams/\(id)/events"), "stream", folder)
        // What the run was before comes first.
        while try !String(decoding: listener.piece(), as: UTF8.self).contains(Listener.mark) {}
        try connection.post("/streams/\(id)/step")
        for index in 0..<events {
            try Data(try listener.piece()).write(to: folder.appendingPathComponent("event\(index)"))
        }
        try connection.post("/streams/\(id)/reset")
    }

    private static func write(_ answer: Answer, _ name: String, _ folder: URL) throws {
        // The server says these itself.
        let own = ["date", "server", "content-length", "transfer-encoding"]
        let head = answer.fields.filter { !own.contains($0.name.lowercased()) }.map { "\($0.name):\($0.value)\n" }
        try Data(head.joined().utf8).write(to: folder.appendingPathComponent("\(name).head"))
        try Data(answer.body).write(to: folder.appendingPathComponent("\(name).body"))
    }

    /// Throws an error unless two servers give the same responses, except for times, and for the tag of a list, which has the
    /// random name of its hub.
    static func check(_ hub: Int, _ bare: Int, _ path: String) throws {
        let answers = try [hub, bare].map { port in
            let answer = try Connection(port: port).get(path)
            let head = answer.fields.filter { $0.name.lowercased() != "date" }.map { field in
                field.name.lowercased() == "etag" ? field.name : "\(field.name): \(field.value)"
            }
            return (head.sorted(), answer.body)
        }
        guard answers[0] == answers[1] else { throw Unequal(path: path, heads: answers.map(\.0)) }
    }

    struct Unequal: Error {
        let path: String
        let heads: [[String]]
    }
}
