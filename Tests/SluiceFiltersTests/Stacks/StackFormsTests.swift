import SluiceJSON
import Testing

@testable import SluiceFilters

/// The forms of concurrency limits, and of a balancer with filters for each endpoint.
@Suite struct StackFormsTests {
    /// In canonical order, with nothing that holds by default.
    private static let text = """
        {
          "filters": [
            {"concurrency": {"limit":{"vegas":{"initial":30,"from":10,"to":100}},"order":"newestFirst"}},
            {"concurrency": {"limit":{"gradient2":{"from":5,"tolerance":2,"queue":9}},"queue":10,"order":"newestFirst","busy":0.2}},
            {"concurrency": {"limit":{"aimd":{"to":90,"slow":1}}}}
          ],
          "balancer": {"endpoints":["a","b"],"maximumShare":0.5,"panicThreshold":0.3,"slowStart":30, "filters": [
            {"id": "try", "timeout": {"seconds":1}, "x-owner": "ada"},
            {"disabled": true, "breaker": {}}
          ]}
        }

        """

    @Test func canonicalTextIsStable() throws {
        let document = try StackDocument(parsing: Self.text)
        #expect(document.canonicalText == Self.text)
        #expect(try StackDocument(parsing: document.canonicalText) == document)
        #expect(document.endpointFilters.map(\.kind) == ["timeout", "breaker"])
        #expect("\(document)" == "concurrency → concurrency → concurrency → balancer → timeout")
        let standard =
            #"{"filters": [], "balancer": {"slowStart": 0, "maximumShare": 1, "endpoints": ["a"], "filters": []}}"#
        #expect(
            try StackDocument(parsing: standard).canonicalText == """
                {
                  "filters": [],
                  "balancer": {"endpoints":["a"]}
                }

                """
        )
    }

    @Test func settingsBecomeWhatTheySay() throws {
        let document = try StackDocument(parsing: Self.text)
        let limits = document.filters.map { $0.settings[ConcurrencyKind.limit] }
        #expect(limits.map(\.kind.name) == ["vegas", "gradient2", "aimd"])
        #expect(limits.map(\.description) == ["10 to 100", "5 to 200", "20 to 90"])
        #expect(
            document.filters.map { ConcurrencyKind.waitingOrder($0.settings) } == [
                .newestFirst(whenBusyFor: .milliseconds(100)), .newestFirst(whenBusyFor: .milliseconds(200)),
                .oldestFirst,
            ]
        )
        let settings = try #require(document.balancer?.settings)
        #expect(settings.ejectionLimits == EjectionLimits(maximumShare: 0.5, panicThreshold: 0.3))
        #expect(settings[BalancerKeys.slowStart] == .seconds(30))
    }

    private func errors(_ balancer: String) -> [String] {
        do throws(JSONErrors) {
            _ = try StackDocument(
                parsing: #"{"filters": [{"id": "a", "deadline": {}}], "balancer": {"endpoints": ["x"], \#(balancer)}}"#
            )
            return []
        } catch { return error.errors.map(\.description) }
    }

    /// The filters of endpoints are checked as all others, with their places.
    @Test func wrongEndpointFilters() {
        #expect(
            errors(#""filters": [{"id": "a", "deadline": {}}, {"timeout": {}}]"#) == [
                #"1:96: balancer.filters[0].id: the id "a" is taken (ids are unique within a stack)"#,
                #"1:130: balancer.filters[1].timeout: the key "seconds" is missing"#,
            ]
        )
        #expect(errors(#""filters": {}"#).count == 1)
        #expect(errors(#""maximumShare": 2"#) == ["1:93: balancer.maximumShare: the number 2 is not from 0.0 to 1.0"])
        #expect(errors(#""slowStart": -1"#).count == 1)
        #expect(errors(#""filters": []"#).isEmpty)
    }
}

extension ConcurrencyLimit.Kind {
    fileprivate var name: String {
        switch self {
        case .fixed: "fixed"
        case .aimd: "aimd"
        case .gradient2: "gradient2"
        case .vegas: "vegas"
        }
    }
}
