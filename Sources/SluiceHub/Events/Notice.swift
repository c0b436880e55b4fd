import NIOCore
import SluiceJSON
import SluiceStreams

/// Something that the hub tells those who listen: an event of an event stream.
struct Notice: Sendable {
    /// Its number in this hub, from 1.
    let number: UInt64
    /// Which stream it is about.
    let stream: String
    /// When in the run, for what passes there; such notices are left out for those who did not ask for them.
    let time: StreamTime?
    /// The event as it goes over the wire, once for all who listen.
    let bytes: ByteBuffer

    init(_ number: UInt64, hub: String, _ event: String, _ data: String, stream: String, valueAt time: StreamTime?) {
        self.number = number
        self.stream = stream
        self.time = time
        bytes = Self.bytes(id: "\(hub)-\(number)", event, data)
    }

    var isValue: Bool { time != nil }

    static func bytes(id: String? = nil, _ event: String, _ data: String) -> ByteBuffer {
        ByteBuffer(string: (id.map { "id: \($0)\n" } ?? "") + "event: \(event)\ndata: \(data)\n\n")
    }

    /// A placeholder for a notice that was dropped.
    static let dropped = Notice(0, hub: "", "", "", stream: "", valueAt: nil)

    /// What keeps a connection open.
    static let keepAlive = ByteBuffer(string: ":\n\n")
}
