#if Hub
import NIOCore
import SluiceJSON
import SluiceStreams

/// An event that the hub sends to its subscribers.
struct Notice: Sendable {
    /// Its number in this hub, from 1.
    let number: UInt64
    /// The id of the stream that it is about.
    let stream: String
    /// The time within the run, for a value. Subscribers receive values only if they asked for them.
    let time: StreamTime?
    /// The encoded event, shared by all subscribers.
    let bytes: ByteBuffer

    init(_ number: UInt64, hub: String, _ event: String, _ data: String, stream: String, valueAt time: StreamTime?) {
        self.number = number
        self.stream = stream
        self.time = time
        bytes = Self.bytes(id: "\(hub)-\(number)", event, data)
    }

    var isValue: Bool { time != nil }

    /// The bytes of memory that it takes, with the parts that are not its text.
    var size: Int { bytes.storageCapacity + MemoryLayout<Notice>.stride + 64 }

    static func bytes(id: String? = nil, _ event: String, _ data: String) -> ByteBuffer {
        ByteBuffer(string: (id.map { "id: \($0)\n" } ?? "") + "event: \(event)\ndata: \(data)\n\n")
    }

    /// A placeholder for a notice that was dropped.
    static let dropped = Notice(0, hub: "", "", "", stream: "", valueAt: nil)

    /// A comment that keeps a connection open.
    static let keepAlive = ByteBuffer(string: ":\n\n")
}
#endif
