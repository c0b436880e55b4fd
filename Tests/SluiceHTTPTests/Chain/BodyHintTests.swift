#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceJSON
import Testing

/// Tests of bodies that are not as expected, and of their errors.
@Suite struct BodyHintTests {
    private func message(_ headers: HTTPFields, _ body: [UInt8], status: Int = 200) async throws -> String {
        let stub = Stub(TransportResponse(status: .init(code: status), headers: headers, body: body))
        let chain: RequestChain<Void, UserEntry> = URLChainBuilder<URL>(transport: stub.node)
            .route(.get, try .of("http://example.com/")).build()
        let error = await #expect(throws: HTTPError.self) { try await chain.process() }
        #expect(error?.code == .badBody)
        return error?.message ?? ""
    }

    @Test(arguments: ["compress", "gzip, exi", "COMPRESS"])
    func unknownContentEncoding(_ coding: String) async throws {
        let message = try await message([.contentEncoding: coding], [0x1B, 0x03, 0x00, 0xF8])
        let name = coding.lowercased().split(separator: " ").last ?? ""
        #expect(message.contains("Content-Encoding \"\(name)\" is not decoded"), "\(message)")
    }

    @Test func decompressionThatIsOff() async throws {
        let message = try await message([.contentEncoding: "gzip"], [0x1F, 0x8B, 8, 0])
        #expect(message.hasSuffix("decompression is off in the transport's settings"))
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", "<p>x", "the answer is an HTML page with status 200"),
        (
            "text/html", "<!doctype html><title>\n Sign  in </title>",
            "the answer is an HTML page with status 200: \"Sign in\""
        ),
        ("application/json", "\n<!DOCTYPE html>\n<html>", "the answer is an HTML page with status 200"),
        ("application/xhtml+xml", "<a/>", "the answer is an HTML page with status 200"),
        ("", "<HTML><TITLE>a</TITLE>", "the answer is an HTML page with status 200: \"a\""),
    ])
    func page(_ type: String, _ body: String, _ hint: String) async throws {
        let message = try await message(type.isEmpty ? [:] : [.contentType: type], Array(body.utf8))
        #expect(message.hasPrefix("the body is not JSON: "))
        #expect(message.hasSuffix("; " + hint), "\(message)")
    }

    @Test(arguments: [
        ("iso-8859-1", "iso-8859-1"), ("\"windows-1252\"", "windows-1252"), ("UTF-16", "UTF-16"),
    ])
    func otherCharset(_ parameter: String, _ charset: String) async throws {
        let body = Array("{\"name\": \"".utf8) + [0xE9] + Array("\", \"age\": 1}".utf8)
        let message = try await message([.contentType: "application/json; charset=\(parameter)"], body)
        #expect(message.hasSuffix("; its charset is \"\(charset)\", and JSON is UTF-8"), "\(message)")
    }

    /// A valid body is read regardless of its fields; an error without a known reason has no hint.
    @Test func noHint() async throws {
        let stub = Stub(
            .of(
                200,
                [.contentType: "text/html; charset=iso-8859-1", .contentEncoding: "br"],
                #"{"name": "a", "age": 1}"#
            )
        )
        let chain: RequestChain<Void, UserEntry> = URLChainBuilder<URL>(transport: stub.node)
            .route(.get, try .of("http://example.com/")).build()
        #expect(try await chain.process() == UserEntry(name: "a", age: 1))
        for type in ["application/json", "application/json; charset=UTF-8", "text/plain;charset=us-ascii"] {
            #expect(!(try await message([.contentType: type], Array("[1".utf8)).contains("; ")))
        }
    }
}
#endif
