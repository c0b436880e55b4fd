#if Hub
import NIOCore
import Sluice
import SluiceJSON
import SluiceRuns

/// The list of all streams as it goes over the wire, which pages and programs ask for again and again.
///
/// The heads are kept as they were last written. A request writes those that have changed since the one before, outside of the
/// hub's actor, and joins them again block by block.
final class HeadList: Sendable {
    /// The list at one moment.
    struct Text: Sendable {
        let bytes: ByteBuffer
        /// A number that changes with the text.
        let version: Int
    }

    /// The documents that have changed since they were last asked for.
    struct Changes: Sendable {
        /// A Boolean value that indicates whether these are all documents, and all others are gone.
        let areAll: Bool
        /// The documents by the numbers of their arrival; `nil` for one that is gone.
        let documents: [(id: String, arrival: Int, document: HubDocument?)]
    }

    /// A part of the list: the heads of some streams, in the order of their arrival.
    fileprivate struct Block {
        var texts: [Int: String] = [:]
        var joined: String?
    }

    fileprivate struct State {
        var blocks: [Int: Block] = [:]
        var arrivals: [String: Int] = [:]
        var text: Text?
        var version = 0
        /// The number of heads that were written so far.
        var writtenCount = 0
        /// The number of changes of documents before the last ones were taken.
        var changeCount = -1
        /// A Boolean value that indicates whether changes were taken that are not in the text yet.
        var isTaking = false
    }

    private let state = Locked(State())
    /// One request at a time takes the changes and writes them.
    private let taking = AsyncLock()

    /// The number of arrivals whose heads are one block.
    fileprivate static let blockSize = 128

    /// The number of heads that were written so far.
    var writtenCount: Int { state.withLock { $0.writtenCount } }

    /// Returns the list as it is now.
    func text(of hub: StreamHub) async -> Text {
        let bus = hub.around.bus
        if let text = unchangedText(of: hub) { return text }
        await taking.lock()
        defer { taking.unlock() }
        let changeCount = hub.published.changeCount
        state.withLock { ($0.isTaking, $0.changeCount) = (true, changeCount) }
        // A status that changes while the heads are written is seen the next time.
        let changes = await hub.takeChanges(bus.takeChangedStatuses())
        return state.withLock { state in
            state.isTaking = false
            return state.take(changes) { bus.status(of: $0) }
        }
    }

    /// Returns the list where nothing has changed; `nil` otherwise.
    private func unchangedText(of hub: StreamHub) -> Text? {
        // In this order: a change that another request takes now is either seen here, or that request is seen below.
        let changeCount = hub.published.changeCount
        if hub.around.bus.hasChangedStatuses { return nil }
        return state.withLock { $0.isTaking || $0.changeCount != changeCount ? nil : $0.text }
    }
}

extension HeadList.State {
    fileprivate mutating func take(_ changes: HeadList.Changes, _ status: (String) -> RunStatus?) -> HeadList.Text {
        if let text, !changes.areAll, changes.documents.isEmpty { return text }
        var isChanged = text == nil
        if changes.areAll {
            let left = Set(changes.documents.map(\.id))
            for id in arrivals.keys where !left.contains(id) { isChanged = put(nil, of: id, 0) || isChanged }
        }
        for (id, arrival, document) in changes.documents {
            let head = document.flatMap { $0.isStack ? nil : $0.head(status(id)).description }
            if head != nil { writtenCount += 1 }
            isChanged = put(head, of: id, arrival) || isChanged
        }
        if let text, !isChanged { return text }
        version += 1
        let text = HeadList.Text(bytes: joined(), version: version)
        self.text = text
        return text
    }

    /// Puts a head in its place, or removes it.
    ///
    /// - Returns: A Boolean value that indicates whether the list has changed.
    private mutating func put(_ head: String?, of id: String, _ arrival: Int) -> Bool {
        var isChanged = false
        if let old = arrivals[id], head == nil || old != arrival {
            // A stream that was removed and created again comes last.
            arrivals[id] = nil
            let block = old / HeadList.blockSize
            blocks[block]?.texts[old] = nil
            blocks[block]?.joined = nil
            if blocks[block]?.texts.isEmpty == true { blocks[block] = nil }
            isChanged = true
        }
        guard let head else { return isChanged }
        arrivals[id] = arrival
        let block = arrival / HeadList.blockSize
        if blocks[block]?.texts[arrival] == head { return isChanged }
        blocks[block, default: HeadList.Block()].texts[arrival] = head
        blocks[block]?.joined = nil
        return true
    }

    private mutating func joined() -> ByteBuffer {
        var bytes = ByteBuffer(string: "[")
        for (index, number) in blocks.keys.sorted().enumerated() {
            guard let block = blocks[number] else { continue }
            let text = block.joined ?? block.texts.sorted { $0.key < $1.key }.map(\.value).joined(separator: ",")
            if block.joined == nil { blocks[number]?.joined = text }
            if index > 0 { bytes.writeString(",") }
            bytes.writeString(text)
        }
        bytes.writeString("]")
        return bytes
    }
}
#endif
