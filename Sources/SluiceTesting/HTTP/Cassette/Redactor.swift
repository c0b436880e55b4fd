#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON

/// A redactor of one exchange, which remembers secrets to find their other occurrences.
struct Redactor {
    private let redaction: Redaction
    private let paths: RedactedPaths
    private let queryItems: Set<String>
    private var secrets: Set<String> = []

    /// The length below which texts are too likely to occur by chance.
    private static let shortestSecret = 8
    /// The maximum number of secrets: each is searched for in the whole exchange, and an answer may contain any number.
    private static let maximumSecretCount = 100
    private static let credentials: Set<HTTPField.Name> = [.authorization, .proxyAuthorization]
    private static let addresses: Set<HTTPField.Name> = [.location, .contentLocation, .referer]
    /// The fields of requests for tokens, which have a `grant_type`, whose values are secrets (RFC 6749, 7521, 8628, 8693).
    private static let grants: Set<String> = ["actor_token", "assertion", "code", "device_code", "subject_token"]
    /// The fields that an answer to a login has besides its code (RFC 6749, 4.1.2; RFC 9207).
    private static let loginFields: Set<String> = ["iss", "session_state", "state"]

    init(_ redaction: Redaction) {
        self.redaction = redaction
        paths = RedactedPaths(redaction.members)
        queryItems = Set(redaction.queryItems.map { $0.lowercased() })
    }

    mutating func cover(_ request: inout TransportRequest) {
        guard !redaction.isOff else { return }
        if let url = URL(string: covered(address: request.url.absoluteString)) { request.url = url }
        let length = request.body?.bytes?.count
        if let bytes = request.body?.bytes { request.body = .bytes(covered(body: bytes, request.headers)) }
        cover(&request.headers)
        request.headers.updateLength(from: length, to: request.body?.bytes?.count)
    }

    mutating func cover(_ response: inout TransportResponse) {
        guard !redaction.isOff else { return }
        let length = response.body.bytes?.count
        if let bytes = response.body.bytes { response.body = ByteStream(covered(body: bytes, response.headers)) }
        cover(&response.headers)
        response.headers.updateLength(from: length, to: response.body.bytes?.count)
    }

    // MARK: Header fields

    private mutating func cover(_ headers: inout HTTPFields) {
        headers = HTTPFields(
            headers.map { field in
                if Self.addresses.contains(field.name), !redaction.headers.contains(field.name) {
                    return HTTPField(name: field.name, value: covered(address: field.value))
                }
                guard redaction.headers.contains(field.name) else { return field }
                return HTTPField(name: field.name, value: covered(value: field.value, of: field.name))
            }
        )
    }

    private mutating func covered(value: String, of name: HTTPField.Name) -> String {
        if Self.credentials.contains(name), let space = value.firstIndex(of: " ") {
            return value[...space] + secret(value[value.index(after: space)...])
        }
        if name == .cookie {
            let pairs = value.split(separator: ";").map { covered(pair: $0.trimmed, separator: "=") }
            return pairs.joined(separator: "; ")
        }
        if name == .setCookie {
            let end = value.firstIndex(of: ";") ?? value.endIndex
            return covered(pair: value[..<end], separator: "=") + value[end...]
        }
        return secret(value[...])
    }

    private mutating func covered(pair: Substring, separator: Character) -> String {
        guard let mark = pair.firstIndex(of: separator) else { return secret(pair) }
        return pair[...mark] + secret(pair[pair.index(after: mark)...])
    }

    /// Returns the replacement of a secret, and remembers the secret.
    private mutating func secret(_ text: Substring) -> String {
        if text.utf8.count >= Self.shortestSecret, text != redaction.replacement,
            secrets.count < Self.maximumSecretCount
        {
            secrets.insert(String(text))
        }
        return text.isEmpty ? "" : redaction.replacement
    }

    // MARK: Addresses and forms

    private mutating func covered(address: String) -> String {
        var text = address[...]
        var covered = ""
        if let slashes = text.range(of: "://") {
            let authority = text[slashes.upperBound...].prefix { !"/?#".contains($0) }
            if let at = authority.lastIndex(of: "@") {
                covered += text[..<slashes.upperBound] + secret(authority[..<at])
                text = text[at...]
            }
        }
        let end = text.firstIndex(of: "#") ?? text.endIndex
        if let mark = text[..<end].firstIndex(of: "?") {
            covered += text[...mark] + self.covered(form: text[text.index(after: mark)..<end])
        } else {
            covered += text[..<end]
        }
        guard end < text.endIndex else { return covered }
        // A fragment may be a form, as answers to logins are, or an address of a program in a browser.
        let parts = text[text.index(after: end)...].split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        return covered + "#" + parts.map { self.covered(form: $0) }.joined(separator: "?")
    }

    private mutating func covered(form: Substring) -> String {
        let items = form.split(separator: "&", omittingEmptySubsequences: false)
        let names = items.map { item in
            let name = item.prefix { $0 != "=" }.replacingOccurrences(of: "+", with: " ")
            return (name.removingPercentEncoding ?? name).lowercased()
        }
        let secretNames = Self.secretNames(among: Set(names))
        let covered = zip(items, names).map { item, name -> String in
            let rawName = item.prefix { $0 != "=" }
            guard rawName.endIndex < item.endIndex,
                queryItems.contains(name) || secretNames.contains(name) || paths.match(name)
            else { return String(item) }
            let value = item[item.index(after: rawName.endIndex)...]
            if let plain = value.removingPercentEncoding { _ = secret(plain[...]) }
            return rawName + "=" + secret(value)
        }
        return covered.joined(separator: "&")
    }

    /// Returns the names of fields that are secrets together with other fields: a `code` is an ordinary word, but a secret
    /// in requests for tokens and in answers to logins.
    private static func secretNames(among names: Set<String>) -> Set<String> {
        if names.contains("grant_type") { return grants }
        return names.isDisjoint(with: loginFields) ? [] : ["code"]
    }

    // MARK: Bodies

    private mutating func covered(body: [UInt8], _ headers: HTTPFields) -> [UInt8] {
        if headers.mediaType == "application/x-www-form-urlencoded" {
            guard let text = String(validating: body, as: UTF8.self) else { return body }
            return Array(covered(form: text[...]).utf8)
        }
        guard Self.isFlow(headers.mediaType) else { return covered(json: body[...]) ?? body }
        let newline = UInt8(ascii: "\n")
        let lines = body.split(separator: newline, omittingEmptySubsequences: false).map { line -> [UInt8] in
            // The text before the value is a prefix of the format, such as `data:`.
            let start = line.firstIndex(where: Self.opens) ?? line.endIndex
            let end = line[start...].last == UInt8(ascii: "\r") ? line.endIndex - 1 : line.endIndex
            return covered(json: line[start..<end]).map { line[..<start] + $0 + line[end...] } ?? Array(line)
        }
        return Array(lines.joined(separator: [newline]))
    }

    /// Returns the object or array without its secrets, otherwise byte for byte; `nil` if the bytes are neither, or
    /// contain no secrets.
    private mutating func covered(json bytes: ArraySlice<UInt8>) -> [UInt8]? {
        // Repeated keys and values that are too deep for other readers may hold secrets too.
        let limits = JSONLimits(maximumDepth: .max)
        guard let first = bytes.first(where: { $0 > 0x20 }), Self.opens(first),
            let document = try? JSONDocument(parsing: bytes, limits: limits, duplicateKeys: .firstWins)
        else { return nil }
        var values = paths.values(in: document)
        let members = document.root.members
        let secretNames = Self.secretNames(among: Set(members.map { $0.key.lowercased() }))
        if secretNames == Self.grants {
            values += members.filter { secretNames.contains($0.key.lowercased()) && !$0.value.isNull }.map(\.value)
            values.sort {
                ($0.byteRange.lowerBound, $1.byteRange.upperBound) < ($1.byteRange.lowerBound, $0.byteRange.upperBound)
            }
        }
        if values.isEmpty { return nil }
        let replacement = JSON.string(redaction.replacement).bytes()
        var covered: [UInt8] = []
        var end = bytes.startIndex
        for value in values {
            for text in value.strings { _ = secret(text[...]) }
            let range = value.byteRange
            // A value may be part of another one, or be there twice.
            guard bytes.startIndex + range.lowerBound >= end else { continue }
            covered += bytes[end..<bytes.startIndex + range.lowerBound] + replacement
            end = bytes.startIndex + range.upperBound
        }
        return covered + bytes[end...]
    }

    private static func opens(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    /// Returns whether each line of a body is a value of its own.
    private static func isFlow(_ type: String) -> Bool {
        type == "text/event-stream" || type.hasSuffix("ndjson") || type.hasSuffix("jsonl") || type.hasSuffix("json-seq")
    }

    // MARK: Other occurrences

    func scrub(_ request: inout TransportRequest) {
        guard !secrets.isEmpty else { return }
        if let url = URL(string: scrubbed(request.url.absoluteString)) { request.url = url }
        scrub(&request.headers)
        guard let bytes = request.body?.bytes else { return }
        let scrubbed = scrubbed(bytes)
        request.body = .bytes(scrubbed)
        request.headers.updateLength(from: bytes.count, to: scrubbed.count)
    }

    func scrub(_ response: inout TransportResponse) {
        guard !secrets.isEmpty else { return }
        scrub(&response.headers)
        guard let bytes = response.body.bytes else { return }
        let scrubbed = scrubbed(bytes)
        response.body = ByteStream(scrubbed)
        response.headers.updateLength(from: bytes.count, to: scrubbed.count)
    }

    private func scrub(_ headers: inout HTTPFields) {
        headers = HTTPFields(headers.map { HTTPField(name: $0.name, value: scrubbed($0.value)) })
    }

    private func scrubbed(_ text: String) -> String {
        String(decoding: scrubbed(Array(text.utf8)), as: UTF8.self)
    }

    /// Returns the bytes without the remembered secrets; the longest are replaced first, since one secret may be part
    /// of another.
    private func scrubbed(_ bytes: [UInt8]) -> [UInt8] {
        let replacement = Array(redaction.replacement.utf8)
        return secrets.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
            .reduce(bytes) { $0.replacing(Array($1.utf8), with: replacement) }
    }
}

extension HTTPFields {
    /// The media type without its parameters, in lowercase; empty if it is missing.
    var mediaType: String {
        (self[.contentType] ?? "").prefix { $0 != ";" }.trimmed.lowercased()
    }

    /// Updates Content-Length to the new length, if it had the old one.
    mutating func updateLength(from old: Int?, to new: Int?) {
        if let old, let new, old != new, self[.contentLength] == "\(old)" { self[.contentLength] = "\(new)" }
    }
}
#endif
