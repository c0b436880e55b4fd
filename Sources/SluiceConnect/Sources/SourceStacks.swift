#if HTTP
import Foundation
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// The filters of the sources of a host, with the state that the subscriptions of a source share.
///
/// The requests that one stream sends to one origin by the same text share a breaker, a limit, and measurements, also where
/// `flatMap` starts a source for each item. Streams share nothing with each other.
final class SourceStacks: Sendable {
    typealias Filters = StackFilter<TransportRequest, TransportResponse>

    /// The most filters of a stream: those that were not used for the longest time go first.
    static let streamCapacity = 16
    /// The most filters of a host; those of the stream that has used its own least lately go first.
    static let capacity = 4096
    /// The most stacks that were read and are kept.
    private static let textCapacity = 256

    fileprivate struct Key: Hashable {
        /// The hub or the follower: the ids of its streams and stacks are its own.
        let owner: ObjectIdentifier
        let origin: String
        /// The id of a stack that is named, or the text of one that the source carries.
        let id: String?
        let text: String
    }

    fileprivate struct Kept {
        let filters: Filters
        /// The text of the stack, which an edit of a named one changes.
        var text: String
        var use: Int
    }

    fileprivate struct State {
        var streams: [String?: [Key: Kept]] = [:]
        var count = 0
        var lastUse = 0
        /// The stacks that were read, by their text in the document.
        var stacks: [String: ConnectorStack] = [:]
    }

    private let clock: any Clock<Duration>
    private let state = Locked(State())

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// The number of the filters that are kept.
    var count: Int { state.withLock { $0.count } }

    /// Returns the stack that a source carries.
    ///
    /// - Throws: `JSONErrors` if it is invalid, which the check of the document has found.
    func stack(_ json: JSON) throws(JSONErrors) -> ConnectorStack {
        let text = json.text()
        if let known = state.withLock({ $0.stacks[text] }) { return known }
        let stack = try ConnectorStack(json, of: .source)
        state.withLock { state in
            if state.stacks.count >= Self.textCapacity { state.stacks = [:] }
            state.stacks[text] = stack
        }
        return stack
    }

    /// Returns the filters around each attempt of a source; `nil` without filters. A stack that is named keeps the state of
    /// its filters through edits.
    ///
    /// - Throws: `JSONErrors` if the stack is invalid.
    /// - Complexity: O(*n*) in the number of filters that are kept, where the oldest has to go.
    func filters(
        _ stack: ConnectorStack,
        for url: URL,
        of stream: String?,
        in named: NamedStacks
    ) throws(JSONErrors) -> Filters? {
        let origin = "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 0)"
        let key = Key(
            owner: named.owner,
            origin: origin.lowercased(),
            id: stack.id,
            text: stack.id == nil ? stack.text : ""
        )
        if stack.attempt.filters.isEmpty {
            // Filters that come back later are new ones.
            if stack.id != nil { state.withLock { $0.remove(key, of: stream) } }
            return nil
        }
        if let known = state.withLock({ $0.use(key, of: stream) }) {
            if known.text == stack.text { return known.filters }
            try known.filters.replace(with: stack.attempt)
            state.withLock { $0.streams[stream]?[key]?.text = stack.text }
            return known.filters
        }
        let made = try Filters(stack.attempt, bindings: StackBindings(clock: clock))
        return state.withLock { $0.keep(made, stack.text, key, of: stream) }
    }
}

extension SourceStacks.State {
    fileprivate mutating func use(_ key: SourceStacks.Key, of stream: String?) -> SourceStacks.Kept? {
        guard let known = streams[stream]?[key] else { return nil }
        lastUse += 1
        streams[stream]?[key]?.use = lastUse
        return known
    }

    /// Keeps filters, unless others were made meanwhile.
    fileprivate mutating func keep(
        _ made: SourceStacks.Filters,
        _ text: String,
        _ key: SourceStacks.Key,
        of stream: String?
    ) -> SourceStacks.Filters {
        if let known = use(key, of: stream) { return known.filters }
        if streams[stream]?.count ?? 0 >= SourceStacks.streamCapacity {
            removeOldest(of: stream)
        } else if count >= SourceStacks.capacity {
            let oldest = streams.min { Self.lastUse(of: $0.value) < Self.lastUse(of: $1.value) }
            removeOldest(of: oldest?.key ?? stream)
        }
        lastUse += 1
        streams[stream, default: [:]][key] = SourceStacks.Kept(filters: made, text: text, use: lastUse)
        count += 1
        return made
    }

    fileprivate mutating func remove(_ key: SourceStacks.Key, of stream: String?) {
        guard streams[stream]?.removeValue(forKey: key) != nil else { return }
        if streams[stream]?.isEmpty ?? false { streams[stream] = nil }
        count -= 1
    }

    private static func lastUse(of filters: [SourceStacks.Key: SourceStacks.Kept]) -> Int {
        filters.values.reduce(0) { max($0, $1.use) }
    }

    private mutating func removeOldest(of stream: String?) {
        guard let oldest = streams[stream]?.min(by: { $0.value.use < $1.value.use })?.key else { return }
        remove(oldest, of: stream)
    }
}
#endif
