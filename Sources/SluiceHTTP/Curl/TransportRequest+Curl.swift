import Foundation
import HTTPTypes

extension TransportRequest {
    /// The request as a command of cURL, for a POSIX shell.
    ///
    /// ```swift
    /// var request = TransportRequest(.put, URL(string: "http://example.com/users/1")!, body: #"{"name":"Ada"}"#)
    /// request.headers = [.contentType: "application/json", .authorization: "Bearer abc"]
    /// print(request.curl())
    /// // curl http://example.com/users/1 \
    /// //   --request PUT \
    /// //   --header 'Content-Type: application/json' \
    /// //   --header 'Authorization: Bearer REDACTED' \
    /// //   --data-raw '{"name":"Ada"}'
    /// ```
    ///
    /// Whatever the request holds, the shell sees it as data. A body that is no text, or too long for an argument, comes
    /// from `printf` through a pipe; a file is named; a stream is read from the standard input of the command.
    ///
    /// - Parameters:
    ///   - redaction: what is a secret; with `.none` the command does what the request does.
    ///   - isCompressed: whether the answer may be compressed, and cURL shows it decompressed.
    /// - Complexity: O(*n*) in the size of the request.
    public func curl(redacting redaction: Redaction = .standard, isCompressed: Bool = false) -> String {
        let request = redaction.redacted(self)
        let body = CurlBody(request.body)
        let address = request.url.absoluteString
        var options: [String] = []
        // Brackets and braces are patterns to cURL, and dots are parts of a path that it leaves out.
        if address.contains(where: { "[]{}".contains($0) }) { options.append("--globoff") }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { options.append("--path-as-is") }
        if let option = Self.option(method, hasBody: body != nil) { options.append(option) }
        if isCompressed { options.append("--compressed") }
        for field in request.headers where !(isCompressed && field.name == .acceptEncoding) {
            // The length is cURL's to find: a body without its secrets has another one.
            if field.name == .contentLength { continue }
            let line = field.name.rawName + (field.value.isEmpty ? ";" : ": " + field.value)
            options.append("--header \(ShellText.word(line))")
        }
        if let body {
            // Without a type cURL would call it a form.
            if request.headers[.contentType] == nil { options.append("--header Content-Type:") }
            options.append(body.option)
        }
        let hasScheme = address.lowercased().hasPrefix("http://") || address.lowercased().hasPrefix("https://")
        let command = "curl \(hasScheme ? "" : "--url ")\(ShellText.word(address))"
        return (body?.source ?? "") + ([command] + options).joined(separator: " \\\n  ")
    }

    /// How cURL is told the method, unless it takes it anyway.
    private static func option(_ method: HTTPRequest.Method, hasBody: Bool) -> String? {
        switch (method, hasBody) {
        case (.get, false), (.post, true): nil
        // With `--request HEAD` alone it would wait for a body that never comes.
        case (.head, false): "--head"
        default: "--request \(ShellText.word(method.rawValue))"
        }
    }
}

/// How cURL gets the body of a request.
private struct CurlBody {
    /// What stands before the command: nothing, or what writes the body into a pipe.
    var source = ""
    let option: String

    /// Linux takes no argument of 128 KiB.
    private static let longestArgument = 100_000

    init?(_ body: RequestBody?) {
        switch body {
        case nil: return nil
        case .file(let path)?:
            // A dash alone would be the standard input.
            option = "--data-binary \(ShellText.word("@" + (path == "-" ? "./-" : path)))"
        case .stream?: option = "--data-binary @-"
        case .bytes(let bytes)?:
            let text = String(validating: bytes, as: UTF8.self)
            if let text, bytes.count <= Self.longestArgument, !bytes.contains(where: ShellText.isControl) {
                option = "--data-raw \(ShellText.quoted(text))"
            } else {
                source = "printf \(ShellText.format(bytes)) | "
                option = "--data-binary @-"
            }
        }
    }
}
