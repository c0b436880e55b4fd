import Dispatch
import OpenCombine
import OpenCombineDispatch

// The same as filters through OpenCombine: a publisher for each call, with the nearest operators.

private struct Failure: Error {}

/// Returns the result of the innermost node of the filter rows.
@inline(never) private func leaf(_ input: Int) throws -> Int {
    guard input >= 0 else { throw Failure() }
    return input &+ 1
}

/// Subscribes to a publisher for each call; it has answered when `sink` returns.
private func publishing<P: Publisher>(_ publisher: @escaping (Int) -> P) -> () -> Void where P.Output == Int {
    {
        var value = 0
        for _ in 0..<calls {
            let call = publisher(value).sink(receiveCompletion: { _ in }, receiveValue: { value = $0 })
            keep(call)
        }
        keep(value)
    }
}

/// Subscribes to a publisher that answers from a queue, again when it has ended.
private func waiting<P: Publisher>(_ publisher: @escaping (Int) -> P) -> () -> Void where P.Output == Int {
    {
        let caller = Caller { value, whenDone in
            publisher(value).sink(receiveCompletion: { _ in whenDone() }, receiveValue: { keep($0) })
        }
        queue.async { caller.call() }
        caller.done.wait()
    }
}

/// `@unchecked Sendable`: what changes is touched on the queue only.
private final class Caller: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    private let subscribe: (Int, @escaping () -> Void) -> AnyCancellable
    private var running: AnyCancellable?
    private var left = calls

    init(_ subscribe: @escaping (Int, @escaping () -> Void) -> AnyCancellable) { self.subscribe = subscribe }

    func call() {
        running = subscribe(left) { [self] in
            left -= 1
            if left == 0 { done.signal() } else { queue.async { self.call() } }
        }
    }
}

private let queue = DispatchQueue(label: "calls")
private typealias Queue = DispatchQueue.OCombine

/// Peers of the filter rows, by the name of the row.
func combinePeers() -> [String: Peer] {
    func peer(_ run: @escaping () -> Void) -> Peer { Peer(name: "OpenCombine", run: run, isOurs: false) }
    func answer(_ value: Int) -> Publishers.TryMap<Just<Int>, Int> { Just(value).tryMap(leaf) }
    func waits(_ value: Int) -> Publishers.TryMap<Publishers.ReceiveOn<Just<Int>, Queue>, Int> {
        Just(value).receive(on: Queue(queue)).tryMap(leaf)
    }
    return [
        "ten with nothing to do, static": peer(
            publishing { value in
                answer(value).map { $0 }.map { $0 }.map { $0 }.map { $0 }.map { $0 }
                    .map { $0 }.map { $0 }.map { $0 }.map { $0 }.map { $0 }
            }
        ),
        "ten with nothing to do, erased": peer(
            publishing { value in
                (0..<10).reduce(answer(value).eraseToAnyPublisher()) { publisher, _ in
                    publisher.flatMap { Just($0).setFailureType(to: (any Error).self) }.eraseToAnyPublisher()
                }
            }
        ),
        "timeout": peer(publishing { answer($0).timeout(.seconds(10), scheduler: Queue(queue)) }),
        "timeout of work that waits": peer(waiting { waits($0).timeout(.seconds(10), scheduler: Queue(queue)) }),
        "retry": peer(publishing { answer($0).retry(2) }),
    ]
}
