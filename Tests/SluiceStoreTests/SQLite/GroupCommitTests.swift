#if SQLite
import Foundation
import GRDB
import Sluice
import Testing

@testable import SluiceStore

@Suite(.timeLimit(.minutes(30))) struct GroupCommitTests {
    let database: DatabaseQueue
    let commits: GroupCommit
    let counter = Counter()

    init() throws {
        database = try DatabaseQueue()
        try database.write { try $0.execute(sql: "CREATE TABLE number (n INTEGER PRIMARY KEY)") }
        database.add(transactionObserver: counter, extent: .observerLifetime)
        commits = GroupCommit(database)
    }

    /// Counts what is committed.
    final class Counter: TransactionObserver, Sendable {
        let commits = Locked(0)

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ database: Database) { commits.withLock { $0 += 1 } }
        func databaseDidRollback(_ database: Database) {}
    }

    var numbers: [Int] {
        get async throws {
            try await database.read { try Int.fetchAll($0, sql: "SELECT n FROM number ORDER BY rowid") }
        }
    }

    var count: Int { counter.commits.withLock { $0 } }

    func insert(_ number: Int) async throws { try await commits.write { try Self.insert(number, $0) } }

    static func insert(_ number: Int, _ database: Database) throws {
        try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number])
    }

    /// Does `body` while a write holds the database up; what it begins waits together.
    func whileWriting(_ body: () async throws -> Void) async throws {
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        async let first: Void = commits.write { _ in
            hasBegun.finish()
            gate.wait()
        }
        for await _ in begun {}
        do {
            try await body()
        } catch {
            gate.signal()
            throw error
        }
        gate.signal()
        try await first
    }

    /// Begins writes, and returns when all of them wait.
    func begin(_ numbers: [Int], _ write: @escaping @Sendable (Int) async throws -> Void) async -> [Task<
        Void, any Error
    >] {
        let before = commits.waitingCount
        let tasks = numbers.map { number in Task { try await write(number) } }
        while commits.waitingCount < before + numbers.count { await Task.yield() }
        return tasks
    }

    @Test func whatWaitsIsWrittenTogether() async throws {
        var tasks: [Task<Void, any Error>] = []
        let before = count
        try await whileWriting { tasks = await begin(Array(1...50)) { try await insert($0) } }
        for task in tasks { try await task.value }
        #expect(try await numbers.sorted() == Array(1...50))
        #expect(count - before == 2)
    }

    @Test func aTransactionTakesSoManyAndNoMore() async throws {
        var tasks: [Task<Void, any Error>] = []
        let before = count
        try await whileWriting {
            tasks = await begin(Array(1...(GroupCommit.largest * 2 + 1))) { try await insert($0) }
        }
        for task in tasks { try await task.value }
        #expect(count - before == 4)
    }

    @Test func writesAreDoneInTheOrderOfTheCalls() async throws {
        let order = Locked([Int]())
        var tasks: [Task<Void, any Error>] = []
        try await whileWriting {
            for number in 1...100 {
                tasks += await begin([number]) { number in
                    try await commits.write { _ in order.withLock { $0.append(number) } }
                }
            }
        }
        for task in tasks { try await task.value }
        #expect(order.withLock { $0 } == Array(1...100))
    }

    @Test func oneThatIsRefusedIsUndoneAlone() async throws {
        var tasks: [Task<Void, any Error>] = []
        let before = count
        try await whileWriting {
            tasks = await begin(Array(1...10)) { number in
                try await commits.write { database in
                    try Self.insert(number, database)
                    if number == 5 { throw StoreError(.missing(id: "5")) }
                }
            }
        }
        await #expect(throws: StoreError(.missing(id: "5"))) { try await tasks[4].value }
        for (index, task) in tasks.enumerated() where index != 4 { try await task.value }
        #expect(try await numbers.sorted() == [1, 2, 3, 4, 6, 7, 8, 9, 10])
        #expect(count - before == 2)
    }

    @Test func oneThatBreaksTheTransactionDoesNotHarmTheOthers() async throws {
        var tasks: [Task<Void, any Error>] = []
        try await whileWriting {
            tasks = await begin(Array(1...10)) { number in
                try await commits.write { database in
                    // As SQLite does where a disk is full: the whole transaction is gone.
                    if number == 5 { try database.execute(sql: "ROLLBACK") }
                    try Self.insert(number == 7 ? 1 : number, database)
                }
            }
        }
        var failed: [Int] = []
        for (index, task) in tasks.enumerated() where await (try? task.value) == nil { failed.append(index + 1) }
        #expect(failed == [5, 7])
        #expect(try await numbers.sorted() == [1, 2, 3, 4, 6, 8, 9, 10])
    }

    @Test func whoIsCancelledWhileWaitingWritesNothing() async throws {
        var tasks: [Task<Void, any Error>] = []
        try await whileWriting {
            tasks = await begin(Array(1...10)) { try await insert($0) }
            for index in [0, 4, 9] { tasks[index].cancel() }
            // They end while the others still wait.
            for index in [0, 4, 9] { await #expect(throws: CancellationError.self) { try await tasks[index].value } }
            #expect(commits.waitingCount == 7)
        }
        for (index, task) in tasks.enumerated() where ![0, 4, 9].contains(index) { try await task.value }
        #expect(try await numbers.sorted() == [2, 3, 4, 6, 7, 8, 9])
    }

    @Test func whoIsCancelledWhileItIsWrittenHasWritten() async throws {
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let task = Task {
            try await commits.write { database in
                hasBegun.finish()
                gate.wait()
                try Self.insert(1, database)
            }
        }
        for await _ in begun {}
        task.cancel()
        gate.signal()
        try await task.value
        #expect(try await numbers == [1])
    }
}
#endif
