import Foundation
import SluiceJSON
import Testing

@testable import SluiceFilters

@Suite struct StackDocumentTests {
    private func errors(_ text: String) -> [String] {
        do throws(JSONErrors) {
            _ = try StackDocument(parsing: text)
            return []
        } catch { return error.errors.map(\.description) }
    }

    private func errors(ofFilter text: String) -> [String] { errors(#"{"filters": [\#(text)]}"#) }

    /// Every kind with every key, in canonical order and nothing that holds by default.
    static let everything = """
        {
          "schema": "sluice.stack/1",
          "id": "users",
          "revision": 3,
          "name": "Users",
          "description": "Calls of the user service",
          "budgets": {
            "extra": {"ratio":0.1,"minimumPerSecond":5,"seconds":20}
          },
          "filters": [
            {"id": "total", "note": "all tries", "timeout": {"seconds":10}, "x-owner": "ada"},
            {"deadline": {}},
            {"fallback": {"value":{"name":"nobody"}}},
            {"singleFlight": {"by":"name"}},
            {"retry": {"maxAttempts":4,"backoff":{"exponential":{"from":0.05,"factor":3,"to":2,"jitter":"equal"}},"longestHint":30,"budget":"extra"}},
            {"breaker": {"opensOn":[{"failureRate":{"rate":0.5,"calls":50,"minimumCalls":20}},{"slowRate":{"rate":1,"over":2,"seconds":10,"slices":5,"minimumCalls":9}},{"consecutiveFailures":{"count":7}},{"averageSuccess":{"below":0.7,"seconds":20,"minimumCalls":6}}],"backoff":{"linear":{"from":1,"by":2,"to":9,"jitter":"full"}},"probes":3,"mode":"metricsOnly"}},
            {"hedge": {"extraLoad":0.02,"budget":"extra"}},
            {"concurrency": {"limit":{"aimd":{"initial":30,"from":10,"to":100,"backoff":0.8,"slow":2}},"queue":10,"wait":0.5}},
            {"rate": {"limit":100,"seconds":60,"burst":10,"wait":1,"by":"name","keys":50}},
            {"shedding": {"refused":0.4,"seconds":60,"atMost":0.5,"minimumRate":9}},
            {"debounce": {"seconds":0.3}},
            {"disabled": true, "throttle": {"seconds":1}},
            {"use": {"name":"log in"}},
            {"chaos": {"inject":[{"latency":{"rate":0.1,"from":0.2,"to":2}},{"fault":{"rate":0.1,"message":"down"}},{"answer":{"rate":0.1,"value":1.50}}],"seed":42,"enabled":false}}
          ],
          "balancer": {"policy":"peakEWMA","decay":5,"endpoints":["a","b"],"opensOn":[{"consecutiveFailures":{"count":3}}],"backoff":{"decorrelated":{"from":1,"to":9}}},
          "x-team": {"a":  1}
        }

        """

    @Test func canonicalTextIsStable() throws {
        let document = try StackDocument(parsing: Self.everything)
        let expected = Self.everything.replacingOccurrences(of: "1.50", with: "1.5")
        #expect(document.canonicalText == expected)
        #expect(try StackDocument(parsing: document.canonicalText) == document)
        #expect(document.filters.count == 14)
        #expect(document.filters[0].id == "total")
        #expect(document.filters[0].note == "all tries")
        #expect(document.filters[11].isDisabled)
        #expect("\(document)".hasPrefix("timeout → deadline → fallback"))
        #expect(!"\(document)".contains("throttle"))
    }

    @Test func whatHoldsByDefaultIsLeftOut() throws {
        let document = try StackDocument(
            parsing: """
                {"filters": [
                  {"retry": {"longestHint": 60.0, "x-why": [1], "maxAttempts": 3, "backoff": {"constant": {"jitter": "none", "seconds": 1.0}}}, "id": "r"},
                  {"breaker": {"mode": "automatic", "probes": 10}, "disabled": false}
                ]}
                """
        )
        #expect(
            document.canonicalText == """
                {
                  "filters": [
                    {"id": "r", "retry": {"backoff":{"constant":{"seconds":1}},"x-why":[1]}},
                    {"breaker": {}}
                  ]
                }

                """
        )
    }

    /// A key of an earlier version is an error that names the new key.
    @Test func oldSpellingHasAHint() {
        #expect(
            errors(#"{"filters": [{"retry": {"attempts": 3}}]}"#) == [
                #"1:25: filters[0].retry.attempts: unknown key "attempts" (did you mean "maxAttempts"?)"#
            ]
        )
    }

    @Test func allErrorsAtOnceWithTheirPlaces() {
        let text = """
            {
              "budgets": {"main": {"ratio": 20}},
              "filters": [
                {"timeout": {"secnds": 2}},
                {"retri": {}},
                {"retry": {"maxAttempts": 0, "budget": "mian"}},
                {"id": "a", "deadline": {}},
                {"id": "a", "throttle": {"seconds": 0}}
              ],
              "fitlers": []
            }
            """
        #expect(
            errors(text) == [
                #"2:33: budgets.main.ratio: the number 20 is not from 0.0 to 10.0"#,
                #"4:17: filters[0].timeout: the key "seconds" is missing (is "secnds" meant to be it?)"#,
                #"4:18: filters[0].timeout.secnds: unknown key "secnds" (did you mean "seconds"?)"#,
                #"5:6: filters[1].retri: unknown filter "retri" (did you mean "retry"?)"#,
                #"6:31: filters[2].retry.maxAttempts: the number 0 is not from 1 to 1000"#,
                #"6:44: filters[2].retry.budget: "mian" is not allowed here (did you mean "main"?)"#,
                #"8:12: filters[4].id: the id "a" is taken (ids are unique within a stack)"#,
                #"8:41: filters[4].throttle.seconds: the time must be more than 0 (in seconds)"#,
                #"10:3: fitlers: unknown key "fitlers" (did you mean "filters"?)"#,
            ]
        )
    }

    @Test(arguments: [
        (
            #"{"breaker": {"opensOn": [{"failureRate": {"rate": 0.5}}]}}"#,
            "a rate of which calls? (add \"calls\" or \"seconds\")"
        ),
        (
            #"{"breaker": {"opensOn": [{"failureRate": {"rate": 0.5, "calls": 5, "seconds": 9}}]}}"#,
            "a rate is taken of the last calls or of a span of time (remove one)"
        ),
        (
            #"{"breaker": {"opensOn": [{"failureRate": {"rate": 0.5, "calls": 5, "slices": 9}}]}}"#,
            "only a span of time has slices (remove it, or add \"seconds\")"
        ),
        (#"{"breaker": {"opensOn": []}}"#, "expected from 1 to 10 elements, found 0"),
        (#"{"breaker": {"opensOn": [{}]}}"#, "the key that names the kind is missing"),
        (#"{"breaker": {"mode": "closed"}}"#, "\"closed\" is not allowed here"),
        (#"{"retry": {"budget": "main"}}"#, "there is no budget \"main\" (describe it under \"budgets\")"),
        (
            #"{"retry": {"backoff": {"exponential": {"from": 2, "to": 1}}}}"#,
            "\"to\" must not be less than \"from\": 2 to 1"
        ),
        (#"{"concurrency": {"limit": {"aimd": {"from": 300}}}}"#, "\"to\" must not be less than \"from\": 300 to 200"),
        (#"{"concurrency": {"limit": {"vegas": {"from": 300}}}}"#, "\"to\" must not be less than \"from\": 300 to 200"),
        (#"{"concurrency": {"limit": {"vegas": {"slow": 1}}}}"#, "unknown key \"slow\""),
        (#"{"concurrency": {"limit": {"gradient2": {"tolerance": 0.5}}}}"#, "the number 0.5 is not from 1.0 to 100.0"),
        (#"{"concurrency": {"limit": {"reno": {}}}}"#, "unknown kind \"reno\""),
        (#"{"concurrency": {"limit": 1, "order": "random"}}"#, "\"random\" is not allowed here"),
        (#"{"concurrency": {"limit": 1, "busy": 1}}"#, "only the order \"newestFirst\" has a time (remove it)"),
        (#"{"concurrency": {"limit": 0}}"#, "the number 0 is not from 1 to 1000000"),
        (#"{"rate": {"limit": 5, "keys": 5}}"#, "there are keys only where \"by\" names them"),
        (#"{"rate": {"limit": 1.5}}"#, "expected a whole number, found 1.5"),
        (#"{"hedge": {"extraLoad": 1.1}}"#, "the number 1.1 is not from 0.0 to 1.0"),
        (#"{"timeout": {"seconds": 1e300}}"#, "the number 1e300 is not from 0.0 to 3155760000.0"),
        (#"{"timeout": {"seconds": -1}}"#, "the number -1 is not from 0.0 to 3155760000.0"),
        (#"{"use": {"name": ""}}"#, "the text is empty"),
        (#"{"use": {"name": 1}}"#, "expected a string, found a number"),
        (#"{"chaos": {"inject": [{"latency": {"rate": 1, "from": 3, "to": 2}}]}}"#, "\"to\" must not be less"),
        (#"{"timeout": {"seconds": 1}, "retry": {}}"#, "exactly one key may name the filter"),
        (#"{"id": "a"}"#, "the key that names the filter is missing"),
        (#"7"#, "expected an object, found a number"),
    ])
    func wrongFilters(_ filter: String, _ message: String) throws {
        let errors = errors(ofFilter: filter)
        #expect(errors.count == 1, "\(errors)")
        #expect(try #require(errors.first).contains(message), "\(errors)")
    }

    @Test func wrongDocuments() {
        #expect(errors("[]") == ["1:1: expected an object, found an array"])
        #expect(errors("{}") == [#"1:1: the key "filters" is missing"#])
        #expect(errors(#"{"filters": [}"#).count == 1)
        #expect(errors(#"{"schema": "sluice.stack/2", "filters": []}"#).first?.contains("is not allowed here") == true)
        let many = Array(repeating: #"{"deadline": {}}"#, count: 101).joined(separator: ",")
        #expect(errors(#"{"filters": [\#(many)]}"#) == ["1:13: filters: 101 filters: at most 100 may stand here"])
        #expect(
            errors(#"{"filters": [], "balancer": {"endpoints": ["a"], "decay": 2}}"#)
                == [#"1:50: balancer.decay: only the policy "peakEWMA" has a decay (remove it)"#]
        )
    }

    @Test func isCodable() throws {
        let document = try StackDocument(parsing: Self.everything)
        let data = try JSONEncoder().encode(document)
        #expect(try JSONDecoder().decode(StackDocument.self, from: data) == document)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(StackDocument.self, from: Data(#"{"filters": 1}"#.utf8))
        }
    }

    @Test func settingsBecomeWhatTheySay() throws {
        let document = try StackDocument(parsing: Self.everything)
        let retry = document.filters[4].settings
        let random = RandomSource { 0 }
        #expect(retry[RetryKind.backoff].delay(after: 1, random: random) == .milliseconds(25))
        let breaker = document.filters[5].settings
        #expect(
            TripCondition(rules: breaker[BreakerKind.opensOn].flatMap(\.rules)).description
                == "50% of 50 calls fail or 100% of the calls in 10.0 seconds take over 2.0 seconds or 7 failures in a row or average success below 70% over 20.0 seconds"
        )
        #expect(breaker[BreakerKind.backoff].delay(after: 2, random: RandomSource { .max }) == .seconds(3))
        #expect(document.filters[7].settings[ConcurrencyKind.limit].description == "10 to 100")
        #expect(document.balancer?.settings.balancingPolicy == .peakEWMA(decay: .seconds(5)))
        #expect(document.balancer?.settings[BalancerKeys.backoff] == .decorrelated(from: .seconds(1), to: .seconds(9)))
    }
}
