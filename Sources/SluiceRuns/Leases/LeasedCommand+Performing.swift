import SluiceJSON
import SluiceStreams

extension LeasedCommand {
    /// Performs the command on a run and its sinks, and returns when its effect is stored.
    package func perform(on run: RunSupervisor, _ deliveries: Deliveries, of stream: String) async -> LeasedOutcome {
        func sinks(_ isDone: Bool?) async throws -> LeasedOutcome {
            let statuses = try await deliveries.status(of: stream)
            return .sinks(json: JSON.array(statuses.map(\.json)).description, isDone: isDone)
        }
        func act(_ body: @Sendable () async throws -> Void) async throws -> LeasedOutcome {
            // The answer, too, waits for no instant that takes long.
            try await run.command {
                try await body()
                if self != .reset { await run.save() }
                return .run(json: await run.json.description)
            }
        }
        do {
            switch self {
            case .start: return try await act { try await run.start() }
            case .resume: return try await act { try await run.resume() }
            case .pause: return try await act { await run.pause() }
            case .step: return try await act { try await run.step() }
            case .reset: return try await act { try await run.reset() }
            case .speed(let factor): return try await act { await run.change(speed: factor) }
            case .retry(let sink): return try await sinks(try await deliveries.retry(sink, of: stream))
            case .skip(let sink): return try await sinks(try await deliveries.skip(sink, of: stream))
            case .resend(let letter):
                return .letter(isFound: try await deliveries.resend(letter, of: stream) != nil)
            case .drop(let letter):
                try await deliveries.drop(letter, of: stream)
                return .letter(isFound: true)
            }
        } catch {
            return .refused(Self.refusal(of: error), reason: (error as? StoreError)?.reason ?? "\(error)")
        }
    }

    private static func refusal(of error: any Error) -> LeasedOutcome.Refusal {
        switch error {
        case is DeadLettersFullError, RunError.completed: .conflict
        case is JSONErrors, is StreamError: .invalid
        default: .unavailable
        }
    }
}
