#if HTTP && Server
import HTTPTypes
import SluiceServer
import Testing

@Suite struct RequestDeadlineTests {
    private func time(_ headers: (String, String)...) throws -> Duration? {
        var fields = HTTPFields()
        for (name, value) in headers { fields.append(HTTPField(name: try #require(.init(name)), value: value)) }
        return try RequestDeadline.time(in: fields)
    }

    @Test(arguments: [
        ("Request-Timeout", "1.5", Duration.milliseconds(1500)),
        ("Request-Timeout", "0", .zero),
        ("request-timeout", "3", .seconds(3)),
        ("grpc-timeout", "2H", .seconds(7200)),
        ("grpc-timeout", "2M", .seconds(120)),
        ("grpc-timeout", "2S", .seconds(2)),
        ("grpc-timeout", "500m", .milliseconds(500)),
        ("grpc-timeout", "7u", .microseconds(7)),
        ("grpc-timeout", "99999999n", .nanoseconds(99_999_999)),
        ("X-Envoy-Expected-Rq-Timeout-Ms", "250", .milliseconds(250)),
    ]) func times(_ name: String, _ value: String, _ expected: Duration) throws {
        #expect(try time((name, value)) == expected)
    }

    @Test func theShortestCounts() throws {
        #expect(try time() == nil)
        #expect(try time(("grpc-timeout", "2S"), ("Request-Timeout", "1")) == .seconds(1))
        #expect(try time(("Request-Timeout", "5"), ("Request-Timeout", "4")) == .seconds(4))
    }

    @Test(arguments: [
        ("Request-Timeout", ""), ("Request-Timeout", "-1"), ("Request-Timeout", "1e9"), ("Request-Timeout", "nan"),
        ("Request-Timeout", "1.5.5"), ("Request-Timeout", "99999999999"), ("Request-Timeout", "1 s"),
        ("Request-Timeout", "."), ("grpc-timeout", "5"), ("grpc-timeout", "S"), ("grpc-timeout", "123456789S"),
        ("grpc-timeout", "1s"), ("grpc-timeout", "+1S"), ("X-Envoy-Expected-Rq-Timeout-Ms", "1.5"),
        ("X-Envoy-Expected-Rq-Timeout-Ms", "1234567890123"), ("X-Envoy-Expected-Rq-Timeout-Ms", "٣"),
    ]) func whatIsNoTime(_ name: String, _ value: String) throws {
        #expect(throws: RequestDeadline.FormatError.self) { try time((name, value)) }
    }

    @Test func theErrorSaysWhere() {
        let error = #expect(throws: RequestDeadline.FormatError.self) { try time(("Request-Timeout", "soon")) }
        #expect(error?.description == #"Request-Timeout: "soon" is no time"#)
    }
}
#endif
