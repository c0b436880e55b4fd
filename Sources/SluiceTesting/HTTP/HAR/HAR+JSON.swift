#if HTTP
internal import Foundation
internal import HTTPTypes
internal import SluiceHTTP
public import SluiceJSON

extension HAR {
    /// Returns the archive as JSON.
    ///
    /// - Parameter redaction: The secrets to leave out.
    /// - Complexity: O(*n*) in the size of the exchanges.
    public func json(redacting redaction: Redaction = .standard) -> JSON {
        [
            "log": [
                "version": "1.2",
                "creator": ["name": "Sluice", "version": "1.0"],
                "entries": .array(exchanges.map { Self.entry(redaction.redacted($0)) }),
            ]
        ]
    }

    /// Returns an entry. Times are in milliseconds; -1 is an unknown time or size.
    private static func entry(_ exchange: RecordedExchange) -> JSON {
        let waited = exchange.waited.map(milliseconds) ?? 0
        let received = exchange.received.map(milliseconds) ?? 0
        return [
            "startedDateTime": .string(text(exchange.started ?? Date(timeIntervalSince1970: 0))),
            "time": .double(waited + received),
            "request": request(exchange.request),
            "response": response(exchange.response),
            "cache": [:],
            "timings": [
                "blocked": -1, "dns": -1, "connect": -1, "ssl": -1,
                "send": 0, "wait": .double(waited), "receive": .double(received),
            ],
        ]
    }

    private static func request(_ request: TransportRequest) -> JSON {
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        var json: JSON = [
            "method": .string(request.method.rawValue),
            "url": .string(request.url.absoluteString),
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": headers(request.headers),
            "queryString": .array(items.map { ["name": .string($0.name), "value": .string($0.value ?? "")] }),
            "headersSize": -1,
            "bodySize": .int(Int64(request.body.map { $0.count ?? -1 } ?? 0)),
        ]
        if let bytes = request.body?.bytes, !bytes.isEmpty {
            var data: JSON = ["mimeType": .string(request.headers[.contentType] ?? "application/octet-stream")]
            // The format has encodings only for responses; custom members begin with an underscore.
            add(bytes, to: &data, encoding: "_encoding")
            json["postData"] = data
        }
        return json
    }

    private static func response(_ response: TransportResponse) -> JSON {
        let bytes = response.body.bytes ?? []
        var content: JSON = [
            "size": .int(Int64(bytes.count)),
            "mimeType": .string(response.headers[.contentType] ?? "x-unknown"),
        ]
        if !bytes.isEmpty { add(bytes, to: &content, encoding: "encoding") }
        return [
            "status": .int(Int64(response.status.code)),
            "statusText": .string(response.status.reasonPhrase),
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": headers(response.headers),
            "content": content,
            "redirectURL": .string(response.headers[.location] ?? ""),
            "headersSize": -1,
            "bodySize": -1,
        ]
    }

    private static func add(_ bytes: [UInt8], to json: inout JSON, encoding: String) {
        if let text = String(validating: bytes, as: UTF8.self) {
            json["text"] = .string(text)
        } else {
            json["text"] = .string(Data(bytes).base64EncodedString())
            json[encoding] = "base64"
        }
    }

    private static func headers(_ headers: HTTPFields) -> JSON {
        .array(headers.map { ["name": .string($0.name.rawName), "value": .string($0.value)] })
    }

    private static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
#endif
