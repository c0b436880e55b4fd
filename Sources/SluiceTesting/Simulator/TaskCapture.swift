#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// An executor that runs the tasks of a simulation on one thread, in the order in which they become ready.
///
/// A task that is started or resumed on the thread of a capture, and that is not bound to an actor's own executor, goes
/// to the capture's queue instead of to the threads of the concurrency runtime. This includes tasks that a filter
/// starts on its own, which a task executor preference would not reach. It uses the runtime's hook for global tasks.
/// Other threads are unaffected, except for one look at a thread-local value for each task.
///
/// `@unchecked Sendable`: used only by the one thread that runs it; the hook looks it up by thread.
final class TaskCapture: @unchecked Sendable {
    private var ready: [UnownedJob] = []
    private var next = 0

    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    /// The key of the capture that a thread runs.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// A Boolean value that indicates whether the hook is set; `false` if the runtime has none.
    private static let isHooked: Bool = {
        guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return false }
        _ = key
        // Set once for the life of the process, to a function that passes on everything that is not captured.
        symbol.assumingMemoryBound(to: Optional<Hook>.self).pointee = { job, enqueue in
            guard let capture = TaskCapture.current else { return enqueue(job) }
            capture.ready.append(job)
        }
        return true
    }()

    private static var current: TaskCapture? {
        pthread_getspecific(key).map { Unmanaged<TaskCapture>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` and everything that it starts, until nothing is ready; then calls `idle` for more until that returns
    /// `false`.
    ///
    /// - Throws: ``SimulationError/unsupported`` if tasks cannot be captured; the error of `body`.
    static func run(_ body: () throws -> Void, idle: () -> Bool) throws {
        guard isHooked else { throw SimulationError.unsupported }
        let capture = TaskCapture()
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(capture).toOpaque())
        defer { pthread_setspecific(key, outer) }
        // The jobs remain tasks of the global executor, and have no reason to move elsewhere.
        let executor = globalConcurrentExecutor.asUnownedTaskExecutor()
        defer { withExtendedLifetime(capture) {} }
        do {
            try body()
        } catch {
            capture.drain(executor)
            throw error
        }
        repeat { capture.drain(executor) } while idle()
    }

    private func drain(_ executor: UnownedTaskExecutor) {
        while next < ready.count {
            let job = ready[next]
            next += 1
            if next > 4096, next * 2 > ready.count {
                ready.removeFirst(next)
                next = 0
            }
            job.runSynchronously(on: executor)
        }
        ready.removeAll(keepingCapacity: true)
        next = 0
    }
}
