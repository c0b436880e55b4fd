#if HTTP
import Foundation
import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that answers requests from a cache where HTTP allows it, and stores the answers that HTTP allows it to
/// store (RFC 9111, 5861, 8246).
///
/// ```swift
/// let node = CacheFilter(HTTPCache()).andThen(HTTPTransport())
/// let first = try await node.process(request)
/// let again = try await node.process(request)  // from the cache while it is fresh
/// ```
///
/// A stale answer is revalidated with its `ETag` and its modification date; equal concurrent requests share one
/// validation. Within `stale-while-revalidate` the old answer is returned immediately while a new one is fetched;
/// within `stale-if-error` it is returned when the server fails or is unreachable. A successful request that changes
/// something (POST, PUT, DELETE, …) invalidates the stored answers of its address.
///
/// Requests with a body or with conditions of their own (`If-None-Match` and the like) bypass the cache. So do requests
/// with a `Range`, unless they ask for a single range and the whole answer is stored and fresh: then they get that part
/// of it. Partial answers (206) are not stored. An answer from the cache has an `Age`; every answer has a
/// `Cache-Status` (RFC 9211). A streamed body is stored when the caller has read it to its end.
///
/// Each user has a part of the cache, so that no user gets an answer that was meant for another. A keyed hash of the
/// credentials identifies the user: Authorization, Proxy-Authorization, Cookie, X-API-Key, and every field that a stage
/// added as a credential. `partition` replaces it, for example with a user ID that survives a refresh of the token.
/// Public answers are shared between users only if you ask for it.
///
/// Put it inside the redirects and the stages that add fields on which the answers depend, and outside the single
/// flight and the retry. An answer is not stored if a stage further inside added credentials or a field that `Vary`
/// names, or followed a redirect. An answer from the cache sets no cookies, and never replaces a 401 or 403.
public struct CacheFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    let cache: HTTPCache
    let clock: WallClock
    private let policy: CachePolicy
    private let partition: (@Sendable (TransportRequest) -> String?)?
    private let sharesPublic: Bool
    private let validations: SingleFlightFilter<Validation, Validated>

    /// The number of callers that are waiting for the validation of an answer.
    var validationCount: Int { validations.waitingCount }

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - cache: the cache that keeps the answers.
    ///   - policy: the rule for when to use the network; ``CachePolicy/apply(_:)`` changes it for one call.
    ///   - partition: a closure that returns the user, or `nil` for an anonymous request. It is called once for each
    ///     request, on the caller's executor. By default the credentials identify the user.
    ///   - sharesPublic: whether answers with `Cache-Control: public` are shared by all users.
    ///   - clock: the clock by which answers age.
    public init(
        _ cache: HTTPCache,
        policy: CachePolicy = .standard,
        partition: (@Sendable (TransportRequest) -> String?)? = nil,
        sharesPublic: Bool = false,
        clock: WallClock = .system
    ) {
        self.cache = cache
        self.policy = policy
        self.partition = partition
        self.sharesPublic = sharesPublic
        self.clock = clock
        validations = SingleFlightFilter(key: { $0.key })
    }

    /// Answers from the cache, or calls `next`.
    ///
    /// - Returns: the answer; a 504 if the request or the policy allows only cached answers and none is stored.
    /// - Throws: the error of `next`.
    /// - Cancellation: cancels `next`; background work continues.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let response = try await answer(to: request, next: next)
        if CallContext.isExplained {
            CallContext.note("CacheFilter", response.headers[values: .cacheStatus].last ?? "passed by")
        }
        return response
    }

    private nonisolated(nonsending) func answer(
        to request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let policy = CachePolicy.applied ?? self.policy
        if let range = StoredRange(request), let part = await self.part(range, of: request, policy) { return part }
        guard Self.isForCache(request) else {
            return policy == .cacheOnly ? try miss() : try await passBy(request, next)
        }
        let directives = CacheControl(request.headers)
        let partition = await cache.partition(of: request, by: self.partition, sharesPublic: sharesPublic)
        var (entry, hasOthers) = await cache.entry(for: request, in: partition)
        if request.box?.notes.isRefreshed == true, let status = entry?.status.code, status == 401 || status == 403 {
            entry = nil
        }
        let now = clock.time
        let stored = entry.map { ($0, Freshness($0, CacheControl($0.headers), now: now)) }
        let decision = CacheDecision(directives, stored, isVaryMiss: hasOthers, policy: policy)
        switch (decision, entry) {
        case (.serve(let freshness), let entry?):
            return answer(entry, freshness, to: request, status: .hit)
        case (.serveAndRevalidate(let freshness), let entry?):
            revalidate(entry, for: request, partition, next)
            return answer(entry, freshness, to: request, status: .hit)
        case (.validate(let reason), let entry?):
            return try await whatHolds(entry, reason, request, partition, directives, policy, next)
        case (.fetch(let reason), _):
            return try await fetch(request, partition, next, status: .forwarded(reason), stored: entry)
        default: return try miss()
        }
    }

    /// Returns a part of a whole answer that is stored and may be served, or `nil`.
    private nonisolated(nonsending) func part(
        _ range: StoredRange,
        of request: TransportRequest,
        _ policy: CachePolicy
    ) async -> TransportResponse? {
        let partition = await cache.partition(of: request, by: self.partition, sharesPublic: sharesPublic)
        guard let entry = await cache.entry(for: request, in: partition).0 else { return nil }
        let freshness = Freshness(entry, CacheControl(entry.headers), now: clock.time)
        guard case .serve = CacheDecision(CacheControl(request.headers), (entry, freshness), policy: policy) else {
            return nil
        }
        return range.cut(answer(entry, freshness, to: request, status: .hit))
    }

    /// Returns the 504 for a missing answer, or throws it as an error (RFC 9111, 5.2.1.7).
    private func miss() throws -> TransportResponse {
        if CachePolicy.throwsMisses { throw CacheMiss() }
        var response = TransportResponse(status: .gatewayTimeout)
        response.headers.addCacheStatus(.onlyIfCached)
        return response
    }

    /// Validates a stored answer that may be outdated, and returns the answer that is valid.
    private nonisolated(nonsending) func whatHolds(
        _ entry: CacheEntry,
        _ reason: String,
        _ request: TransportRequest,
        _ partition: CachePartition,
        _ directives: CacheControl,
        _ policy: CachePolicy,
        _ next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        func standIn(isUnreachable: Bool) -> TransportResponse? {
            let freshness = Freshness(entry, CacheControl(entry.headers), now: clock.time)
            guard
                CacheDecision.mayServe(entry, freshness, to: directives, isUnreachable: isUnreachable, policy: policy)
            else { return nil }
            return answer(entry, freshness, to: request, status: .hit.with(detail: "stale-if-error"))
        }
        do {
            switch try await validate(entry, request, partition, next) {
            case .holds(let entry, let cookies, let claim):
                let freshness = Freshness(entry, CacheControl(entry.headers), now: clock.time)
                var response = answer(entry, freshness, to: request, status: .forwarded(reason, status: 304))
                // The server set these cookies now, with the 304, for the caller whose request it answered.
                if claim.take() {
                    for cookie in cookies { response.headers.append(HTTPField(name: .setCookie, value: cookie)) }
                }
                return response
            case .isReplaced(let shared):
                guard var response = try shared.take() else {
                    return try await fetch(request, partition, next, status: .forwarded(reason), stored: entry)
                }
                if [500, 502, 503, 504].contains(response.status.code), let old = standIn(isUnreachable: false) {
                    return old
                }
                response.headers.addCacheStatus(.forwarded(reason, status: response.status.code))
                return response
            }
        } catch let error as HTTPError {
            let isFailure = error.code == .badStatus && [500, 502, 503, 504].contains(error.response?.status.code)
            let isUnreachable = error.code == .unreachable || error.code == .timedOut
            guard isFailure || isUnreachable, let old = standIn(isUnreachable: isUnreachable) else { throw error }
            CallContext.log(.warning, "answers with what is stored, since \(error)")
            return old
        }
    }

    /// Calls `next`, and stores its answer when it is complete.
    private nonisolated(nonsending) func fetch(
        _ request: TransportRequest,
        _ partition: CachePartition,
        _ next: some Node<TransportRequest, TransportResponse>,
        status: CacheStatus,
        stored entry: CacheEntry?
    ) async throws -> TransportResponse {
        let reservation = cache.reserve(request)
        let requestTime = clock.time
        var response = try await next.process(request)
        let times = (requestTime, clock.time)
        if request.method == .head {
            await freshen(entry, by: response, to: request, partition, reservation, times)
        } else if response.status.code != 304 {
            response = await storing(response, to: request, partition, reservation, times)
        }
        response.headers.addCacheStatus(status)
        return response
    }

    /// Returns the stored answer to a GET, without the body for a HEAD request.
    private func answer(
        _ entry: CacheEntry,
        _ freshness: Freshness,
        to request: TransportRequest,
        status: CacheStatus
    ) -> TransportResponse {
        var response = TransportResponse(status: entry.status, headers: entry.headers, body: entry.body)
        if request.method == .head { response.body = [] }
        response.headers[.age] = String(Int(min(freshness.age, Double(DeltaSeconds.maximum))))
        let left = Int(max(min(-freshness.staleness, 1e9), -1e9).rounded(.down))
        response.headers.addCacheStatus(status.with(ttl: left))
        return response
    }

    /// Calls `next` for a request that bypasses the cache, and removes the entries that it invalidates (RFC 9111, 4.4).
    private nonisolated(nonsending) func passBy(
        _ request: TransportRequest,
        _ next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        var response = try await next.process(request)
        let isSafe = [.get, .head, .options, .trace].contains(request.method)
        if !isSafe, [.successful, .redirection].contains(response.status.kind) {
            await cache.remove(request.url)
            for name in [HTTPField.Name.location, .contentLocation] {
                guard let text = response.headers[name], let url = URL(string: text, relativeTo: request.url),
                    Address.origin(url.absoluteURL) == Address.origin(request.url)
                else { continue }
                await cache.remove(url.absoluteURL)
            }
        }
        response.headers.addCacheStatus(.forwarded(isSafe ? "bypass" : "method"))
        return response
    }

    private static func isForCache(_ request: TransportRequest) -> Bool {
        let own: [HTTPField.Name] = [
            .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
        ]
        return (request.method == .get || request.method == .head) && request.body == nil
            && !own.contains { request.headers.contains($0) }
    }

    /// The description `CacheFilter`.
    public var description: String { "CacheFilter" }

    /// A validation of a stored entry, shared by all calls that need its result.
    private struct Validation: Sendable {
        let entry: CacheEntry
        let request: TransportRequest
        let partition: CachePartition
        /// The identity of the validation: the same request about the same entry.
        let key: [String]

        init(_ entry: CacheEntry, _ request: TransportRequest, _ partition: CachePartition) {
            self.entry = entry
            self.request = request
            self.partition = partition
            key =
                [request.method.rawValue, entry.key, partition.own, entry.partition, "\(entry.responseTime)"]
                + request.headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        }
    }

    private enum Validated: Sendable {
        case holds(CacheEntry, cookies: [String], Claim)
        case isReplaced(SharedResponse)
    }
}

extension CacheFilter {
    /// Asks the server whether a stored entry is still valid (RFC 9111, 4.3); equal concurrent calls share one
    /// validation.
    private nonisolated(nonsending) func validate(
        _ entry: CacheEntry,
        _ request: TransportRequest,
        _ partition: CachePartition,
        _ next: some Node<TransportRequest, TransportResponse>
    ) async throws -> Validated {
        let node = AnyNode<Validation, Validated> { [self] validation in
            do {
                return try await ask(validation.entry, validation.request, validation.partition, next)
            } catch let error as HTTPError
                where !error.isForUser(of: validation.request) || error.response?.setsCookies == true
            {
                return .isReplaced(SharedResponse(forOne: error))
            }
        }
        return try await validations.process(Validation(entry, request, partition), next: node)
    }

    private nonisolated(nonsending) func ask(
        _ entry: CacheEntry,
        _ request: TransportRequest,
        _ partition: CachePartition,
        _ next: some Node<TransportRequest, TransportResponse>
    ) async throws -> Validated {
        // Another validation ended after this call had read the entry: its result is no older than this call.
        if let newer = await cache.entry(for: request, in: partition).entry, newer != entry {
            return .holds(newer, cookies: [], Claim())
        }
        let reservation = cache.reserve(request)
        var conditional = request
        conditional.headers[.ifNoneMatch] = entry.headers[.eTag]
        conditional.headers[.ifModifiedSince] = entry.headers[.lastModified]
        let requestTime = clock.time
        var response: TransportResponse
        do { response = try await next.process(conditional) } catch let error as HTTPError {
            // A stage further inside treats the 304 as an error.
            guard let notModified = error.response, notModified.status.code == 304 else { throw error }
            response = notModified
        }
        var times = (requestTime, clock.time)
        if response.status.code == 304 {
            let isOther =
                if let tag = response.headers[.eTag], let own = entry.headers[.eTag] {
                    !EntityTag.isAlike(tag, own)
                } else { false }
            if isOther || response.isRedirected || !response.isForUser(of: request) {
                // The 304 is about an entry that is not stored here (4.3.4), or about another user's: ask for the whole
                // answer.
                let requestTime = clock.time
                response = try await next.process(request)
                times = (requestTime, clock.time)
            } else {
                let fresh = entry.freshened(by: response.headers, requestTime: times.0, responseTime: times.1)
                await reservation.store(fresh, for: request, in: partition)
                return .holds(fresh, cookies: response.headers[values: .setCookie], Claim())
            }
        }
        if request.method == .head {
            await freshen(entry, by: response, to: request, partition, reservation, times)
            return .isReplaced(
                response.isForUser(of: request) ? SharedResponse(response) : SharedResponse(forOne: response)
            )
        }
        // Only a body that is complete or known to be short: the end of a stream is not known.
        let length = response.headers[.contentLength].flatMap { DeltaSeconds.parse($0) }
        let isShort = response.body.bytes != nil || length.map { $0 <= cache.maximumBodyBytes } == true
        if isShort {
            response.body = try await response.body.collectedIfShort(upTo: cache.maximumBodyBytes)
        }
        response = await storing(response, to: request, partition, reservation, times)
        return .isReplaced(
            response.isForUser(of: request) ? SharedResponse(response) : SharedResponse(forOne: response)
        )
    }

    /// Revalidates an answer that was already returned, in a task of its own; one at a time for each entry.
    private func revalidate(
        _ entry: CacheEntry,
        for request: TransportRequest,
        _ partition: CachePartition,
        _ next: some Node<TransportRequest, TransportResponse>
    ) {
        let key = Validation(entry, request, partition).key.joined(separator: "\n")
        guard cache.beginRevalidation(key) else { return }
        var context = CallContext.current
        context.deadline = nil
        Task { [cache, context] in
            defer { cache.endRevalidation(key) }
            await withCallContext(context) {
                do {
                    // A streamed answer is stored when it is read.
                    guard case .isReplaced(let shared) = try await validate(entry, request, partition, next),
                        let response = try shared.take()
                    else { return }
                    _ = try await response.body.collected(upTo: cache.maximumBodyBytes)
                } catch {
                    CallContext.log(.info, "could not revalidate \(request.summary): \(error)")
                }
            }
        }
    }

    /// Returns the same answer, which is stored now if it is complete, or else when it has been read to its end.
    private nonisolated(nonsending) func storing(
        _ response: TransportResponse,
        to request: TransportRequest,
        _ partition: CachePartition,
        _ reservation: HTTPCache.Reservation,
        _ times: (request: Double, response: Double)
    ) async -> TransportResponse {
        guard Storability.isStorable(response, to: request),
            let vary = CacheEntry.varyFields(response.headers, of: request, partition),
            // A stage further inside added such a field: the cache can't compare what it did not see.
            vary.allSatisfy({ response.hasSent($0.name, as: request) })
        else { return response }
        let entry = CacheEntry(
            key: HTTPCache.key(request.url),
            partition: partition.place(of: CacheControl(response.headers)),
            vary: vary,
            status: response.status,
            headers: CacheEntry.storable(response.headers),
            body: [],
            requestTime: times.request,
            responseTime: times.response
        )
        @Sendable func store(_ body: [UInt8]) async {
            // A body that is shorter than announced is incomplete (3.3), unless it was decompressed.
            if let length = entry.headers[.contentLength].flatMap({ Int($0) }), length != body.count,
                !entry.headers.contains(.contentEncoding)
            {
                return
            }
            var entry = entry
            entry.body = body
            await reservation.store(entry, for: request, in: partition)
        }
        var response = response
        if let bytes = response.body.bytes {
            if bytes.count <= cache.maximumBodyBytes { await store(bytes) }
        } else {
            response.body = response.body.whenRead(upTo: cache.maximumBodyBytes, store)
        }
        return response
    }

    /// Updates the stored entry with the head of an answer to a HEAD request (RFC 9111, 4.3.5).
    private nonisolated(nonsending) func freshen(
        _ entry: CacheEntry?,
        by response: TransportResponse,
        to request: TransportRequest,
        _ partition: CachePartition,
        _ reservation: HTTPCache.Reservation,
        _ times: (request: Double, response: Double)
    ) async {
        guard let entry, response.status == .ok, !response.isRedirected, response.isForUser(of: request) else { return }
        let isSame = [HTTPField.Name.eTag, .lastModified, .contentLength].allSatisfy {
            response.headers[$0] == nil || response.headers[$0] == entry.headers[$0]
        }
        guard isSame else { return await cache.remove(request.url) }
        let fresh = entry.freshened(by: response.headers, requestTime: times.request, responseTime: times.response)
        await reservation.store(fresh, for: request, in: partition)
    }
}

/// The validator `ETag` (RFC 9110, 8.8.3).
enum EntityTag {
    /// Returns whether two answers have the same representation, by the weak comparison.
    static func isAlike(_ a: String, _ b: String) -> Bool { opaque(a) == opaque(b) }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}

extension HTTPFields {
    fileprivate mutating func addCacheStatus(_ status: CacheStatus) {
        append(HTTPField(name: .cacheStatus, value: status.text))
    }
}

extension ByteStream {
    /// Returns the same chunks, and calls `body` with all of them when they have been read to the end and are at most
    /// `limit` bytes.
    fileprivate func whenRead(upTo limit: Int, _ body: @escaping @Sendable ([UInt8]) async -> Void) -> ByteStream {
        ByteStream {
            var iterator = makeAsyncIterator()
            var kept: [UInt8]? = []
            return {
                if let chunk = try await iterator.next() {
                    if let count = kept?.count, count + chunk.count <= limit { kept? += chunk } else { kept = nil }
                    return chunk
                }
                if let whole = kept { await body(whole) }
                return nil
            }
        }
    }
}

extension CacheFilter: ChainStage {
    /// The declaration: per hop; needs every field.
    public var declaration: StageDeclaration { StageDeclaration(.hop, needs: .all) }
    /// The role ``SluiceFilters/StackRole/cache``.
    public var stackRole: StackRole { .cache }
}

extension StageName {
    /// The cache.
    public static let cache = StageName("cache", .hop)
}

extension Filter where Self == CacheFilter {
    /// Returns a filter that answers from a cache, for the stage `cache`; see `CacheFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.cache, .cache(HTTPCache()))
    /// ```
    public static func cache(_ cache: HTTPCache, policy: CachePolicy = .standard) -> Self {
        CacheFilter(cache, policy: policy)
    }
}
#endif
