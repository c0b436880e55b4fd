#if Hub
import HTTPTypes
import Sluice

/// The counters of a hub.
final class HubCounters: Sendable {
    struct Counts: Sendable {
        var runsBegun = 0
        var runsFailed = 0
        var ticksSkipped = 0
        var batchesStored = 0
        var storeFailures = 0
        /// Documents that were taken over from other hubs.
        var changesTakenOver = 0
        /// Members of groups that read too slowly and were dropped.
        var membersDropped = 0
        var routes: [Route: Requests] = [:]
    }

    struct Route: Hashable, Sendable {
        let method: String
        let path: String

        /// Makes a route. All unknown methods count as one, so that clients can't create counters.
        init(_ method: HTTPRequest.Method, path: String) {
            self.method = knownMethods.contains(method) ? method.rawValue : "other"
            self.path = path
        }
    }

    /// The requests of a route.
    struct Requests: Sendable {
        /// The number of responses by status code.
        var statuses: [Int: Int] = [:]
        /// The number of requests in each bucket of ``bounds``; the last is for longer ones.
        var times = [Int](repeating: 0, count: HubCounters.bounds.count + 1)
        /// The time of all, in nanoseconds.
        var total: Int64 = 0

        mutating func add(status: Int, time: Int64) {
            let seconds = Double(time) / 1e9
            statuses[status, default: 0] += 1
            times[HubCounters.bounds.firstIndex { seconds <= $0 } ?? HubCounters.bounds.count] += 1
            total += max(0, time)
        }
    }

    /// The bounds of the histogram of times, in seconds.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

    private let state = Locked(Counts())

    var counts: Counts { state.withLock { $0 } }

    func count(_ figure: @Sendable (inout Counts) -> Void) { state.withLock { figure(&$0) } }

    /// Counts a request.
    ///
    /// - Parameter time: the time from the request to the head of its response, in nanoseconds.
    func countRequest(_ route: Route, status: Int, time: Int64) {
        state.withLock { $0.routes[route, default: Requests()].add(status: status, time: time) }
    }
}

private let knownMethods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .delete, .patch, .options, .trace]
#endif
