import NIOCore
import NIOPosix

// The same as filters through the futures of SwiftNIO: all of it on one event loop, as in a server.

private let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

/// Returns the result of the innermost node of the filter rows.
@inline(never) private func leaf(_ input: Int) -> EventLoopFuture<Int> { loop.makeSucceededFuture(input &+ 1) }

/// A leaf that really waits once.
@inline(never) private func waitingLeaf(_ input: Int) -> EventLoopFuture<Int> {
    let promise = loop.makePromise(of: Int.self)
    loop.execute { promise.succeed(input) }
    return promise.futureResult
}

/// Calls often; each call has ended when its future is made.
private func calling(_ call: @escaping @Sendable (Int) -> EventLoopFuture<Int>) -> () -> Void {
    {
        let done = loop.submit {
            for number in 0..<calls { keep(call(number)) }
        }
        try? done.wait()
    }
}

/// Calls often, each call when the one before has ended.
private func waiting(_ call: @escaping @Sendable (Int) -> EventLoopFuture<Int>) -> () -> Void {
    {
        let done = loop.makePromise(of: Void.self)
        @Sendable func next(_ left: Int) {
            if left == 0 { return done.succeed(()) }
            call(left).whenComplete { _ in next(left - 1) }
        }
        loop.execute { next(calls) }
        try? done.futureResult.wait()
    }
}

/// Ends a call after ten seconds.
@Sendable private func limited(_ work: EventLoopFuture<Int>) -> EventLoopFuture<Int> {
    let promise = loop.makePromise(of: Int.self)
    let timer = loop.scheduleTask(in: .seconds(10)) { promise.fail(ChannelError.connectTimeout(.seconds(10))) }
    work.whenComplete { result in
        timer.cancel()
        promise.completeWith(result)
    }
    return promise.futureResult
}

/// Calls again, up to three times in all.
@Sendable private func retried(_ value: Int, _ left: Int) -> EventLoopFuture<Int> {
    leaf(value).flatMapError { error in
        left == 1 ? loop.makeFailedFuture(error) : retried(value, left - 1)
    }
}

/// Peers of the filter rows, by the name of the row.
func futurePeers() -> [String: Peer] {
    func peer(_ run: @escaping () -> Void) -> Peer { Peer(name: "NIO", run: run, isOurs: false) }
    return [
        "ten with nothing to do, static": peer(
            calling { value in
                leaf(value).map { $0 }.map { $0 }.map { $0 }.map { $0 }.map { $0 }
                    .map { $0 }.map { $0 }.map { $0 }.map { $0 }.map { $0 }
            }
        ),
        "ten with nothing to do, erased": peer(
            calling { value in
                (0..<10).reduce(leaf(value)) { future, _ in future.flatMap { loop.makeSucceededFuture($0) } }
            }
        ),
        "timeout": peer(calling { limited(leaf($0)) }),
        "timeout of work that waits": peer(waiting { limited(waitingLeaf($0)) }),
        "retry": peer(calling { retried($0, 3) }),
    ]
}
