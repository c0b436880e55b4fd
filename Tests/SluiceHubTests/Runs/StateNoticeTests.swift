#if Hub
import SluiceStreams
import Testing

@testable import SluiceHub
@testable import SluiceRuns

/// The states of streams, as other streams read them.
@Suite struct StateNoticeTests {
    private func notice(_ state: RunState, blocked: [String] = [], _ change: (inout RunStatus) -> Void = { _ in })
        -> StateNotice?
    {
        var status = RunStatus(stream: "a", pace: Pace(at: 0))
        status.state = state
        change(&status)
        return StateNotice(status, blocked: blocked)
    }

    @Test func runningStreamMayNeedAttention() {
        #expect(notice(.running)?.state == "running" && notice(.running)?.needsAttention == false)
        let late = notice(.running) { $0.lag = StreamTime(nanoseconds: 2_000_000_000) }
        #expect(late?.state == "behind" && late?.needsAttention == true)
        let waiting = notice(.running) { ($0.waiting, $0.lag) = ("poll: no connection", .zero) }
        #expect(waiting?.state == "waiting" && waiting?.reason == "poll: no connection")
        let blocked = notice(.running, blocked: ["hook"]) { $0.waiting = "poll: no connection" }
        #expect(blocked?.state == "blocked" && blocked?.reason == "blocked sinks: hook")
    }

    @Test func otherStatesAreThoseOfTheRun() {
        let failed = notice(.failed, blocked: ["hook"]) { $0.error = "no" }
        #expect(failed?.state == "failed" && failed?.reason == "no" && failed?.needsAttention == true)
        for state in [RunState.idle, .paused, .completed] {
            let seen = notice(state) { $0.lag = StreamTime(nanoseconds: 1) }
            #expect(seen?.state == state.rawValue && seen?.needsAttention == false)
        }
        #expect(StateNotice(nil, blocked: []).map(\.state) == nil)
    }
}
#endif
