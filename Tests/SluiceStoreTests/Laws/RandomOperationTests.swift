#if SQLite
import Foundation
import SluiceStreams
import Testing

@testable import SluiceStore

/// The two stores do the same, whatever is asked of them and in whatever order.
@Suite(.timeLimit(.minutes(30))) struct RandomOperationTests {
    @Test(arguments: 0..<(6 * scale))
    func storesAgree(_ seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let clock = WallClock()
        let folder = try TemporaryFolder()
        let memory = MemoryStreamStore(now: { clock.now })
        let limits = Self.limits[seed % Self.limits.count]
        var sqlite = try SQLiteStreamStore(path: folder.path("hub.sqlite"), log: limits, now: { clock.now })
        var (done, refused) = (0, 0)
        for step in 0..<200 {
            clock.advance(by: Double.random(in: 0...2, using: &random))
            let operation = try await Operation.random(&random, at: clock.now, like: memory)
            let (first, second) = (await operation.outcome(memory), await operation.outcome(sqlite))
            #expect(first == second, "step \(step): \(operation)")
            if first.hasPrefix("StoreError") { refused += 1 } else { done += 1 }
            if step % 50 == 49 {
                // What was stored is there after a restart too.
                sqlite = try SQLiteStreamStore(path: folder.path("hub.sqlite"), log: limits, now: { clock.now })
                #expect(try await everything(memory) == everything(sqlite))
            }
        }
        // Neither all refused nor all done would say much.
        #expect(done > 80 && refused > 10)
    }

    /// Rules by which next to nothing, everything at once, or now and then something goes from the log to the tables.
    private static let limits: [LogIndex.Limits] = [
        LogIndex.Limits(), LogIndex.Limits(entries: 1, size: 1, span: 0, checkpoint: 0, piece: 1),
        LogIndex.Limits(entries: 3, size: 200, span: 5, checkpoint: 2, piece: 2),
        LogIndex.Limits(entries: 100, size: 10_000, span: 7, checkpoint: 3, piece: 4),
    ]

    /// All that a store says of what it has.
    func everything(_ store: any StreamStore) async throws -> [String] {
        var all = ["\(try await store.list())", "\(try await store.groups())", "\(try await store.runs())"]
        for id in Operation.ids {
            let history = try await store.history(of: id)
            all.append("\(try await store.read(id) as Any) \(history)")
            for line in history { all.append("\(try await store.revision(line.revision, of: id) as Any)") }
            all.append("\(try await store.run(of: id) as Any) \(try await store.journal(of: id))")
            all.append("\(try await store.lastRun(of: id))")
            for run in [nil, 1, 2, 3, 4, 5] {
                all.append("\(try await store.outputs(of: id, run: run, after: 0, limit: .max))")
            }
        }
        return all
    }
}

/// One thing that is asked of a store.
private enum Operation: Sendable {
    static let ids = ["a", "b", "caf\u{E9}", ""]
    static let groups = ["g", "h"]

    case create([StreamDraft], replacing: Bool)
    case replace(StreamDraft, Int)
    case remove(String, Int)
    case createGroup(String), removeGroup(String)
    case assign(String, String), unassign(String, String)
    case commit(RunCommit)
    case forgetRun(String)
    case trim(Retention)
    case outputs(String, Int?, Int, Int)

    /// - Parameter store: most operations are such that this does them.
    static func random(
        _ random: inout SeededGenerator,
        at time: Date,
        like store: MemoryStreamStore
    ) async throws -> Operation {
        let streams = try await store.list()
        let stream = streams.randomElement(using: &random)?.id ?? ids[0]
        let revision = try await store.read(stream)?.revision ?? 1
        let last = try await store.run(of: stream)
        let lastRun = try await store.lastRun(of: stream)
        func draft() -> StreamDraft {
            let name = Bool.random(using: &random) ? "name" : nil
            return StreamDraft(one(of: ids), "\(Int.random(in: 0..<1000, using: &random))", name: name)
        }
        func one<Element>(of all: [Element]) -> Element { all[Int.random(in: 0..<all.count, using: &random)] }
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        switch number(0...19) {
        case 0, 1, 2: return .create((0..<number(1...2)).map { _ in draft() }, replacing: Bool.random(using: &random))
        case 3: return .replace(draft(), number(1...5))
        case 4, 5, 6: return .replace(StreamDraft(stream, "\(number(0...999))"), revision)
        case 7: return number(0...3) == 0 ? .remove(stream, revision) : .remove(one(of: ids), number(1...5))
        case 8: return .createGroup(one(of: groups))
        case 9: return number(0...3) == 0 ? .removeGroup(one(of: groups)) : .assign(one(of: ids), one(of: groups))
        case 10: return .unassign(one(of: ids), one(of: groups))
        case 11: return number(0...3) == 0 ? .forgetRun(one(of: ids)) : .assign(one(of: ids), one(of: groups))
        case 12: return .outputs(one(of: ids), one(of: [nil, 1, 2]), number(-1...3), number(-1...5))
        case 13:
            return .trim(
                Retention(
                    revisions: one(of: [nil, 1, 3]),
                    outputs: one(of: [nil, 1, 4]),
                    age: one(of: [nil, .seconds(20)])
                )
            )
        default:
            let isLikely = number(0...3) > 0
            let isNew = isLikely ? last == nil || number(0...5) == 0 : number(0...2) == 0
            let run = isLikely ? isNew ? lastRun + 1 : last?.run ?? 0 : number(1...3)
            let first = isLikely ? max(1, (isNew ? 0 : last?.outputs ?? 0) + number(-1...1)) : number(1...4)
            return .commit(
                RunCommit(
                    stream: isLikely ? stream : one(of: ids),
                    run: run,
                    isNewRun: isNew,
                    revision: number(1...4),
                    state: one(of: ["running", "failed"]),
                    isPaused: Bool.random(using: &random),
                    speed: Double.random(in: 0.01...100, using: &random),
                    error: one(of: [nil, "no"]),
                    savedAt: time,
                    checkpoint: one(of: [nil, nil, "{}"]),
                    inputs: (0..<number(0...2)).map { StreamInput($0) },
                    outputs: (first..<(first + number(0...3))).map { StoredOutput($0, run: run) }
                )
            )
        }
    }

    /// Returns the outcome of the operation as a text.
    func outcome(_ store: any StreamStore) async -> String {
        do {
            switch self {
            case .create(let drafts, let replacing):
                return "\(try await store.create(drafts, replacing: replacing, by: "me"))"
            case .replace(let draft, let revision):
                return "\(try await store.replace(with: draft, ifRevision: revision, by: nil))"
            case .remove(let id, let revision): try await store.remove(id, ifRevision: revision, by: "you")
            case .createGroup(let name): try await store.createGroup(name)
            case .removeGroup(let name): try await store.removeGroup(name)
            case .assign(let id, let group): try await store.assign(id, to: group)
            case .unassign(let id, let group): try await store.unassign(id, from: group)
            case .commit(let commit): try await store.commit(commit)
            case .forgetRun(let id): try await store.forgetRun(of: id)
            case .trim(let retention): try await store.trim(retention)
            case .outputs(let id, let run, let sequence, let limit):
                return "\(try await store.outputs(of: id, run: run, after: sequence, limit: limit))"
            }
            return "done"
        } catch let error as StoreError {
            return "StoreError \(error.kind)"
        } catch {
            return "\(error)"
        }
    }
}
#endif
