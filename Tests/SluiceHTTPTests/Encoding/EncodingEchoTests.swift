#if HTTP
import Foundation
import HTTPTypes
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import Testing

/// Tests of how an independent server reads our queries, forms, and addresses.
@Suite(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
struct EncodingEchoTests {
    static let values: JSON = [
        "q": "C++ & 50% = \"ü\"/?#漢😀\r\n~-._", "a[b]": "x", "tags": ["z", "a b", "+"], "in": ["k": ["l": 1.5]],
        "ok": true,
        "none": .null, "": "empty",
    ]

    func echo(_ request: TransportRequest) async throws -> JSON {
        let response = try await HTTPTransport().process(request)
        return try JSON(parsing: try #require(response.body.bytes))
    }

    static func encoder(_ number: Int) -> URLEncodedFormEncoder {
        var encoder = URLEncodedFormEncoder()
        switch number {
        case 1: encoder.spaceEncodingStrategy = .plusReplaced
        case 2:
            encoder.arrayEncodingStrategy = .indexInBrackets
            encoder.keyPathEncodingStrategy = .dots
            encoder.allowedCharacters = .unreserved.union("/?:@!$'()*,;[]")
        case 3:
            encoder.arrayEncodingStrategy = .noBrackets
            encoder.boolEncodingStrategy = .literal
            encoder.nilEncodingStrategy = .dropValue
            encoder.order = .asEncoded
        default: break
        }
        return encoder
    }

    /// Returns fields in the form of httpbin: several values of a name in an array.
    static func expected(_ fields: [FormField]) -> JSON {
        var object: JSON.Object = [:]
        for (name, values) in Dictionary(grouping: fields, by: \.name) {
            object[name] = values.count == 1 ? .string(values[0].value) : .array(values.map { .string($0.value) })
        }
        return .object(object)
    }

    @Test(arguments: 0..<4) func queries(_ number: Int) async throws {
        let encoder = Self.encoder(number)
        let url = try HTTPBin.url("/anything?here=a+b%2B").appending(query: Self.values, encoder: encoder)
        let fields = [FormField(name: "here", value: "a b+")] + (try encoder.fields(Self.values))
        #expect(try await echo(TransportRequest(.get, url))["args"] == Self.expected(fields))
    }

    @Test(arguments: 0..<4) func forms(_ number: Int) async throws {
        let encoder = Self.encoder(number)
        let request = TransportRequest(
            .post,
            try HTTPBin.url("/anything"),
            headers: [.contentType: URLEncodedFormEncoder.contentType],
            body: .bytes(try encoder.bytes(Self.values))
        )
        let answer = try await echo(request)
        #expect(answer["form"] == Self.expected(try encoder.fields(Self.values)))
        #expect(answer["headers"]?["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8")
    }

    @Test func templates() async throws {
        let template = try URITemplate((HTTPBin.address ?? "") + "/anything{/id,x}{?q,lang*}")
        let route = try template.route(["id": "é b", "x": "1+1", "q": "C++ & ü", "lang": ["sv", "en"]])
        let answer = try await echo(TransportRequest(.get, try route.url()))
        #expect(answer["args"] == ["q": "C++ & ü", "lang": ["sv", "en"]])
        #expect(answer["url"]?.string?.contains("/anything/é%20b/1+1?") == true)
    }

    @Test func multipart() async throws {
        var form = MultipartForm()
        try form.append(MultipartModel(Self.values, files: ["f": .bytes(Array("ü+".utf8), filename: "f.txt")]))
        let request = TransportRequest(
            .post,
            try HTTPBin.url("/anything"),
            headers: [.contentType: form.contentType],
            body: try await form.body()
        )
        let answer = try await echo(request)
        #expect(answer["form"] == Self.expected(try URLEncodedFormEncoder().fields(Self.values)))
        #expect(answer["files"] == ["f": "ü+"])
    }
}
#endif
