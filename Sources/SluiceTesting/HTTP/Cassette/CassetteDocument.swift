#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
public import SluiceJSON

/// The contents of a cassette as a file for reading and comparing: one line for each field.
///
/// ```json
/// {
///   "schema": "sluice.cassette/1",
///   "exchanges": [
///     {
///       "request": { "method": "GET", "url": "http://example.com/users/1" },
///       "response": { "status": 200, "headers": { "Content-Type": "application/json" }, "body": { "json": { "id": 1 } } }
///     }
///   ]
/// }
/// ```
///
/// A body is `{"json": …}` if its Content-Type is JSON, `{"text": "…"}` if it is UTF-8, and `{"base64": "…"}`
/// otherwise. White space between JSON tokens is not preserved, and the Content-Length is adjusted. Times are not
/// stored, so that recording again changes only the lines of what has changed.
public struct CassetteDocument: Sendable {
    /// The exchanges in order.
    public var exchanges: [RecordedExchange]

    /// Makes a document of exchanges; secrets must already be redacted.
    public init(_ exchanges: [RecordedExchange] = []) { self.exchanges = exchanges }

    /// The length limit of files and texts; longer ones are refused.
    static let maximumByteCount = 256 << 20
    static let schema = "sluice.cassette/1"

    /// Reads the text of a cassette.
    ///
    /// - Throws: `JSONError` if it is not JSON; `JSONErrors` with the place of each problem.
    /// - Complexity: O(*n*) in its length.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        let document = try JSONDocument(parsing: bytes, limits: JSONLimits(maximumByteCount: Self.maximumByteCount))
        var check = JSONValidator()
        exchanges = []
        if let fields = check.object(document.root, keys: ["schema", "exchanges"], required: ["schema", "exchanges"]) {
            _ = check.string(fields["schema"], oneOf: [Self.schema])
            for node in check.elements(fields["exchanges"]) {
                guard
                    let fields = check.object(node, keys: ["request", "response"], required: ["request", "response"]),
                    let request = check.request(fields["request"]), let response = check.response(fields["response"])
                else { continue }
                exchanges.append(RecordedExchange(request, response))
            }
        }
        try check.throwErrors()
    }

    /// Reads the file at a path; blocks meanwhile.
    ///
    /// - Throws: ``CassetteError`` when it cannot be read, or is not a cassette; the error names the line and the
    ///   column.
    public init(contentsOf path: String) throws {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CassetteError(.badFile, "\(path) cannot be read: \(error.localizedDescription)")
        }
        do {
            try self.init(parsing: data)
        } catch let error as JSONErrors {
            throw CassetteError(.badFile, error.diagnostics(file: path))
        } catch let error as JSONError {
            throw CassetteError(.badFile, error.diagnostic(file: path))
        }
    }

    /// The document as JSON.
    public var json: JSON {
        [
            "schema": .string(Self.schema),
            "exchanges": .array(
                exchanges.map { ["request": Self.json($0.request), "response": Self.json($0.response)] }
            ),
        ]
    }

    /// Writes the file at a path atomically, creating the folders of the path; blocks meanwhile.
    ///
    /// - Throws: ``CassetteError`` when that fails; an existing file stays unchanged.
    public func write(to path: String) throws {
        let url = URL(fileURLWithPath: path)
        do {
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(json.bytes(.pretty) + [UInt8(ascii: "\n")]).write(to: url, options: .atomic)
        } catch {
            throw CassetteError(.badFile, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}

// MARK: Writing

extension CassetteDocument {
    private static func json(_ request: TransportRequest) -> JSON {
        var json: JSON = ["method": .string(request.method.rawValue), "url": .string(request.url.absoluteString)]
        add(request.headers, request.body?.bytes, to: &json)
        return json
    }

    private static func json(_ response: TransportResponse) -> JSON {
        var json: JSON = ["status": .int(Int64(response.status.code))]
        let reason = response.status.reasonPhrase
        if !reason.isEmpty { json["reason"] = .string(reason) }
        add(response.headers, response.body.bytes, to: &json)
        return json
    }

    private static func add(_ headers: HTTPFields, _ bytes: [UInt8]?, to json: inout JSON) {
        var headers = headers
        var body: JSON?
        if let bytes, !bytes.isEmpty {
            if headers.mediaType.contains("json"), let value = try? JSON(parsing: bytes) {
                body = ["json": value]
                headers.updateLength(from: bytes.count, to: value.bytes().count)
            } else if let text = String(validating: bytes, as: UTF8.self) {
                body = ["text": .string(text)]
            } else {
                body = ["base64": .string(Data(bytes).base64EncodedString())]
            }
        }
        if !headers.isEmpty { json["headers"] = self.json(headers) }
        if let body { json["body"] = body }
    }

    /// Returns the fields by name; repeated fields have an array of values.
    private static func json(_ headers: HTTPFields) -> JSON {
        var seen: Set<HTTPField.Name> = []
        var object = JSON.Object()
        for field in headers where seen.insert(field.name).inserted {
            let values = headers[values: field.name].map { JSON.string($0) }
            object[field.name.rawName] = values.count == 1 ? values[0] : .array(values)
        }
        return .object(object)
    }
}
#endif
