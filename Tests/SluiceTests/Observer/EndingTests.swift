import Dispatch
import Sluice
import Synchronization
import Testing

/// An observer ends exactly once, accepts any number of listeners, and calls late ones immediately.
@Suite struct EndingTests {
    enum Event: Equatable, Sendable {
        case completed(Int), failed, canceled, deferred
    }

    func listen(_ observer: Observer<Int>, _ note: Recorder<Event>) {
        observer
            .onCompleted { note(.completed($0)) }
            .onError { _ in note(.failed) }
            .onCanceled { note(.canceled) }
            .defer { note(.deferred) }
    }

    @Test func endsWithValue() {
        let (context, note) = (Context<Int>(), Recorder<Event>())
        listen(context, note)
        context.emit(1)
        #expect(note.elements == [.completed(1), .deferred])
    }

    @Test func endsWithError() {
        let (context, note) = (Context<Int>(), Recorder<Event>())
        listen(context, note)
        context.emit(error: Failure())
        #expect(note.elements == [.failed, .deferred])
    }

    @Test func endsWithCancel() {
        let (context, note) = (Context<Int>(), Recorder<Event>())
        listen(context, note)
        context.cancel()
        #expect(note.elements == [.canceled, .deferred])
    }

    @Test func laterEndsAreIgnored() {
        let (context, note) = (Context<Int>(), Recorder<Event>())
        listen(context, note)
        context.emit(1).emit(2).emit(data: 3).emit(error: Failure()).cancel()
        #expect(note.elements == [.completed(1), .deferred])
    }

    @Test func everyListenerIsTold() {
        let (context, note) = (Context<Int>(), Recorder<Int>())
        for index in 0..<100 { context.onCompleted { note($0 + index) } }
        context.emit(1000)
        #expect(note.elements == (1000..<1100).map { $0 })
    }

    @Test func lateListenersAreToldAtOnce() {
        let note = Recorder<Event>()
        for observer in [Observer<Int>.emit(data: 7), .emit(error: Failure()), Context<Int>().cancel()] {
            listen(observer, note)
            listen(observer, note)
        }
        let value: [Event] = [.completed(7), .deferred]
        let error: [Event] = [.failed, .deferred]
        let cancel: [Event] = [.canceled, .deferred]
        #expect(note.elements == value + value + error + error + cancel + cancel)
    }

    @Test func listenerThatListensIsToldAfterThoseBefore() {
        let (context, note) = (Context<Int>(), Recorder<String>())
        context.onCompleted { _ in
            context.onCompleted { _ in note("inner") }
            note("outer")
        }
        context.onCompleted { _ in note("second") }
        context.emit(1)
        #expect(note.elements == ["outer", "second", "inner"])
    }

    @Test func respondTellsEveryEnd() throws {
        let results = Recorder<Result<Int, any Error>>()
        Observer<Int>.emit(data: 7).respond { results($0) }
        Observer<Int>.emit(error: Failure(code: 3)).respond { results($0) }
        Context<Int>().cancel().respond { results($0) }
        #expect(try results.elements[0].get() == 7)
        #expect(throws: Failure(code: 3)) { try results.elements[1].get() }
        #expect(throws: CancellationError.self) { try results.elements[2].get() }
    }

    /// Emit, cancel and listen race from many threads: one end, the same for all, each listener once.
    @Test func oneEndUnderRaces() {
        for round in 0..<300 {
            let (context, ends, deferred) = (Context<Int>(), Recorder<String>(), Recorder<Int>())
            DispatchQueue.concurrentPerform(iterations: 12) { thread in
                switch (thread + round) % 4 {
                case 0: context.emit(thread)
                case 1: context.emit(error: Failure(code: thread))
                case 2: context.cancel()
                default:
                    context
                        .onCompleted { ends("value \($0)") }
                        .onError { ends("error \($0)") }
                        .onCanceled { ends("cancel") }
                        .defer { deferred(thread) }
                }
            }
            // A listener that came while others ran is called by the thread that runs them: all have returned by now.
            #expect(Set(ends.elements).count == 1)
            #expect(ends.elements.count == 3)
            #expect(deferred.elements.count == 3)
        }
    }

    /// Listeners of one place run in the order in which they were registered, also when the end comes in between.
    @Test func orderHoldsUnderRaces() {
        for _ in 0..<300 {
            let (context, note) = (Context<Int>(), Recorder<Int>())
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 {
                    context.emit(1)
                } else {
                    for index in 0..<20 { context.onCompleted { _ in note(index) } }
                }
            }
            #expect(note.elements == Array(0..<20))
        }
    }

    @Test func waitersAndListenersAllHearOneEnd() async throws {
        for _ in 0..<50 {
            let context = Context<Int>()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await context.value } }
                group.addTask {
                    context.emit(5)
                    context.emit(6)
                    return 5
                }
                for try await value in group { #expect(value == 5) }
            }
        }
    }
}
