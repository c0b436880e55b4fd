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

    /// The most filters of a host: those that were not used for the longest time go first.
    static let capacity = 1024

    fileprivate struct Key: Hashable {
        let stream: String?
        let origin: String
        let text: String
    }

    fileprivate struct State {
        var filters: [Key: (filters: Filters, use: Int)] = [:]
        var lastUse = 0
    }

    private let clock: any Clock<Duration>
    private let state = Locked(State())

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// The number of the filters that are kept.
    var count: Int { state.withLock { $0.filters.count } }

    /// Returns the filters around each attempt of a source; `nil` without filters.
    ///
    /// - Throws: `JSONErrors` if the stack is invalid.
    func filters(_ stack: ConnectorStack?, for url: URL, of stream: String?) throws(JSONErrors) -> Filters? {
        guard let stack, !stack.attempt.filters.isEmpty else { return nil }
        let origin = "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 0)"
        let key = Key(stream: stream, origin: origin.lowercased(), text: stack.text)
        if let known = state.withLock({ $0.use(key) }) { return known }
        let made = try Filters(stack.attempt, bindings: StackBindings(clock: clock))
        return state.withLock { $0.keep(made, key) }
    }
}

extension SourceStacks.State {
    fileprivate mutating func use(_ key: SourceStacks.Key) -> SourceStacks.Filters? {
        guard let known = filters[key]?.filters else { return nil }
        lastUse += 1
        filters[key]?.use = lastUse
        return known
    }

    /// Keeps filters, unless others were made meanwhile.
    ///
    /// - Complexity: O(*n*) in the number of filters that are kept, where one has to go.
    fileprivate mutating func keep(_ made: SourceStacks.Filters, _ key: SourceStacks.Key) -> SourceStacks.Filters {
        if let known = use(key) { return known }
        if filters.count >= SourceStacks.capacity, let oldest = filters.min(by: { $0.value.use < $1.value.use })?.key {
            filters[oldest] = nil
        }
        lastUse += 1
        filters[key] = (made, lastUse)
        return made
    }
}

extension ConnectorStack {
    /// Returns the stack in the arguments of a source; `nil` without one.
    ///
    /// - Throws: `JSONErrors` if it is invalid, which the check of the document has found.
    init?(of arguments: JSON) throws(JSONErrors) {
        guard let json = arguments["stack"] else { return nil }
        try self.init(json, of: .source)
    }
}
#endif
