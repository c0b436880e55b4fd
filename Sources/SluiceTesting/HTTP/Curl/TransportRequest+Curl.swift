#if HTTP
import Foundation
import HTTPTypes
public import SluiceHTTP

extension TransportRequest {
    /// Returns the request as a cURL command for a POSIX shell.
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
    /// The shell treats all contents of the request as data. A body that is not text, or too long for an argument,
    /// comes from `printf` through a pipe; a file is named; a stream is read from the standard input of the command.
    ///
    /// - Parameters:
    ///   - redaction: the secrets to redact; with `.none` the command sends exactly the request.
    ///   - isCompressed: whether to accept a compressed answer, which cURL shows decompressed.
    /// - Complexity: O(*n*) in the size of the request.
    public func curl(redacting redaction: Redaction = .standard, isCompressed: Bool = false) -> String {
        let request = redaction.redacted(self)
        let body = CurlBody(request.body)
        let address = request.url.absoluteString
        var options: [String] = []
        // Brackets and braces are patterns to cURL, and it removes dot segments from paths.
        if address.contains(where: { "[]{}".contains($0) }) { options.append("--globoff") }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { options.append("--path-as-is") }
        if let option = Self.option(method, hasBody: body != nil) { options.append(option) }
        if isCompressed { options.append("--compressed") }
        for field in request.headers where !(isCompressed && field.name == .acceptEncoding) {
            // cURL determines the length: a body without its secrets has a different one.
            if field.name == .contentLength { continue }
            let line = field.name.rawName + (field.value.isEmpty ? ";" : ": " + field.value)
            options.append("--header \(ShellText.word(line))")
        }
        if let body {
            // Without a type, cURL would send the type of a form.
            if request.headers[.contentType] == nil { options.append("--header Content-Type:") }
            options.append(body.option)
        }
        let hasScheme = address.lowercased().hasPrefix("http://") || address.lowercased().hasPrefix("https://")
        let command = "curl \(hasScheme ? "" : "--url ")\(ShellText.word(address))"
        return (body?.source ?? "") + ([command] + options).joined(separator: " \\\n  ")
    }

    /// Returns the option that sets the method, unless it is cURL's default.
    private static func option(_ method: HTTPRequest.Method, hasBody: Bool) -> String? {
        switch (method, hasBody) {
        case (.get, false), (.post, true): nil
        // With `--request HEAD` alone, cURL would wait for a body that never arrives.
        case (.head, false): "--head"
        default: "--request \(ShellText.word(method.rawValue))"
        }
    }
}

/// The body of a request, in the form in which cURL gets it.
private struct CurlBody {
    /// The text before the command: empty, or a command that writes the body into a pipe.
    var source = ""
    let option: String

    /// The longest body in an argument; Linux limits an argument to 128 KiB.
    private static let longestArgument = 100_000

    init?(_ body: RequestBody?) {
        switch body {
        case nil: return nil
        case .file(let path)?:
            // A dash alone would mean the standard input.
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
#endif
