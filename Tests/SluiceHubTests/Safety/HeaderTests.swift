#if Hub
import Foundation
import HTTPTypes
import SluiceJSON
import Testing

@testable import SluiceHub

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct HeaderTests {
    static let hostile = #"</text><script>alert(1)</script><img src=x onerror=alert(1)> ]]> & "' onload="alert(1)"#

    @Test(arguments: ["/", "/page/page.js", "/streams", "/none", "/catalog", "/metrics"])
    func everyAnswerHasThem(_ path: String) async throws {
        let headers = try await Hub().ask(.get, path).headers
        let policy = try #require(headers[.contentSecurityPolicy])
        for part in [
            "default-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "object-src 'none'",
            "base-uri 'none'",
        ] {
            #expect(policy.contains(part))
        }
        #expect(!policy.contains("unsafe"))
        #expect(headers[.xContentTypeOptions] == "nosniff")
        for name in ["Cross-Origin-Resource-Policy", "Cross-Origin-Opener-Policy"] {
            #expect(try headers[#require(HTTPField.Name(name))] == "same-origin", "\(name)")
        }
    }

    /// The text of a document is an author's: a browser takes it for JSON and nothing else.
    @Test func documentsAreNeverTakenForPages() async throws {
        let text = #"{"id": "x", "name": \#(JSON.string(Self.hostile)), "stream": []}"#
        let hub = try await Hub([text])
        for path in ["/streams/x", "/streams/x/revisions/1", "/streams", "/export", "/streams?search=script"] {
            let answer = try await hub.ask(.get, path)
            #expect(
                answer.headers[.contentType] == "application/json" && answer.headers[.xContentTypeOptions] == "nosniff"
            )
        }
        let missing = try await hub.ask(.get, "/streams/%3Cscript%3E")
        #expect(missing.headers[.contentType] == "application/problem+json")
    }

    @Test func nothingInAPictureRuns() async throws {
        let value = JSON.string(Self.hostile)
        let body =
            #"{"document": {"name": \#(value), "stream": [{"value": \#(value)}], "operators": [{"map": {"expression": "x + \"<b>\""}}]}, "until": 5}"#
        let answer = try await Hub().ask(.post, "/picture?format=svg", body)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "image/svg+xml")
        #expect(answer.headers[.contentSecurityPolicy] == "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        let reader = Elements()
        let parser = XMLParser(data: Data(answer.text.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "it is no XML")
        #expect(reader.names.count > 3)
        #expect(reader.names.isDisjoint(with: ["script", "img", "b", "foreignObject", "a", "image", "iframe"]))
        #expect(!reader.attributes.contains { $0.lowercased().hasPrefix("on") || $0.contains("href") })
    }

    private final class Elements: NSObject, XMLParserDelegate {
        var names: Set<String> = []
        var attributes: Set<String> = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            names.insert(name)
            self.attributes.formUnion(attributes.keys)
        }
    }
}
#endif
