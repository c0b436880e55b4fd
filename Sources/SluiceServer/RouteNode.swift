#if Server
internal import Hummingbird
internal import Sluice

/// The inner handler of a middleware, as a node.
///
/// A middleware's `next` may be called only until the middleware has answered. Filters may call their `next` from tasks
/// of their own. So calls of this node are counted, and ``wrapping(_:_:_:_:)`` answers when no call is running and none
/// can begin.
struct RouteNode<Context: RequestContext>: Node {
    private let route: Route

    /// Runs `body` with this node, and returns its answer.
    @concurrent static func wrapping(
        _ request: Request,
        _ context: Context,
        _ next: @concurrent (Request, Context) async throws -> Response,
        _ body: (Request, RouteNode) async throws -> Response
    ) async throws -> Response {
        try await withoutActuallyEscaping(next) { next in
            let route = Route(Unchecked(value: (next, context)))
            let result: Result<Response, any Error>
            do { result = .success(try await body(request, RouteNode(route: route))) } catch {
                result = .failure(error)
            }
            await route.close()
            return try result.get()
        }
    }

    private init(route: Route) { self.route = route }

    func process(_ input: Request) async throws -> Response { try await route.call(input) }

    /// `@unchecked Sendable`: the closure and the context are used by one call at a time, from when `around` has begun
    /// to wait for its body until it has seen the last call end; the lock of a ``Route`` separates these accesses.
    private struct Unchecked: @unchecked Sendable {
        let value: (next: @concurrent (Request, Context) async throws -> Response, context: Context)
    }

    private final class Route: Sendable {
        private enum State {
            case idle(Unchecked)
            case running(Unchecked, whenIdle: CheckedContinuation<Void, Never>?)
            case closed
        }

        private let state: Locked<State>

        init(_ next: Unchecked) { state = Locked(.idle(next)) }

        @concurrent func call(_ request: Request) async throws -> Response {
            try state.withLock { state in
                switch state {
                case .idle(let next): state = .running(next, whenIdle: nil)
                case .running: throw ConcurrentRouteCall()
                case .closed: throw CancellationError()
                }
            }
            let result = await run(request)
            end()
            return try result.get()
        }

        /// Runs a request; a separate function, so that the closure is released before the end is reported.
        @concurrent private func run(_ request: Request) async -> Result<Response, any Error> {
            let running = state.withLock { state -> Unchecked? in
                if case .running(let next, _) = state { next } else { nil }
            }
            guard let (next, context) = running?.value else { return .failure(CancellationError()) }
            do { return .success(try await next(request, context)) } catch { return .failure(error) }
        }

        private func end() {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .running(let next, let waiter) = state else { return nil }
                state = waiter == nil ? .idle(next) : .closed
                return waiter
            }
            waiter?.resume()
        }

        /// Waits until no call is running, and prevents later ones.
        func close() async {
            await withCheckedContinuation { continuation in
                let isIdle = state.withLock { state in
                    if case .running(let next, _) = state {
                        state = .running(next, whenIdle: continuation)
                        return false
                    }
                    state = .closed
                    return true
                }
                if isIdle { continuation.resume() }
            }
        }
    }
}

/// The error of a middleware's filter that called the routes concurrently, as a hedge does.
struct ConcurrentRouteCall: Error, CustomStringConvertible {
    var description: String {
        "a filter called the routes of a server twice at the same time: make a handler of a node instead"
    }
}
#endif
