#if HTTP
import Foundation
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams
import SluiceTesting

@testable import SluiceClient

/// Texts of documents.
enum Text {
    /// `1, 2, …` a little apart, and no end.
    static func ticks(_ factor: Int, seconds: Double = 0.005, name: String? = nil) -> String {
        #"{\#(name.map { #""name": "\#($0)", "# } ?? "")"source": {"interval": {"seconds": \#(seconds)}}, "operators": [{"id": "m", "map": {"expression": "x * \#(factor)"}}]}"#
    }
    static let never = #"{"source": {"never": {}}}"#
    static func values(_ values: String) -> String { #"{"source": {"values": [\#(values)]}}"# }
    static func refers(to id: String, _ factor: Int = 1) -> String {
        #"{"source": {"ref": "\#(id)"}, "operators": [{"map": {"expression": "x * \#(factor)"}}]}"#
    }
}

extension FollowerNotice {
    /// The notice as a text for tests: its line without the run and the sequence, or its kind.
    var told: String {
        if let line { return line.replacing(#/"run": \d+, ("sequence": \d+, )?/#, with: "") }
        switch self {
        case .hubIsAway(let reason): return "away: \(reason)"
        case .hubIsBack: return "back"
        case .restored(let count): return "restored: \(count)"
        case .problem(let text): return "problem: \(text)"
        default: return ""
        }
    }
}

/// A folder that is gone after the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension HubClient {
    /// A client of a hub in memory.
    init(_ stub: some Transport) {
        guard let url = URL(string: "http://hub.example/") else { preconditionFailure("it is an address") }
        self.init(url, transport: stub)
    }
}

/// Follows a stub until the body throws ``Enough``. Returns the notices until then.
@discardableResult
func follow(
    _ stub: GroupStub,
    settings: GroupFollower<ContinuousClock>.Settings = .init(),
    _ body: @escaping (String) throws -> Void
) async throws -> [String] {
    var told: [String] = []
    let follower = GroupFollower(HubClient(stub), member: "me", settings: settings, clock: .continuous)
    do {
        try await follower.run { notice in
            told.append(notice.told)
            try body(notice.told)
        }
    } catch is Enough {}
    return told
}

/// Advances a clock whenever a task waits for it, until the returned task is canceled.
func movingTime(_ clock: TestClock) -> Task<Void, Never> {
    Task {
        while !Task.isCancelled {
            await clock.sleepers(1)
            clock.advance(by: .milliseconds(100))
            await Task.yield()
        }
    }
}
#endif
