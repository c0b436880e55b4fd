import HTTPTypes

/// A stored answer to a GET, with what tells whether it can be used.
struct CacheEntry: Sendable, Equatable {
    /// A field of the request that the answer depends on, with its value then; `nil` if it was missing.
    struct VaryField: Sendable, Equatable {
        let name: HTTPField.Name
        let value: String?
    }

    /// The address.
    var key: String
    var vary: [VaryField]
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: [UInt8]
    /// When the request was sent, in seconds since 1970.
    var requestTime: Double
    /// When the head of the answer was there.
    var responseTime: Double

    /// Whether the request is one that the answer was for, as `Vary` says (RFC 9111, 4.1).
    func matches(_ request: TransportRequest) -> Bool {
        vary.allSatisfy { $0.value == Self.normalized(request.headers, $0.name) }
    }

    /// The fields that `Vary` names, with their values in a request; `nil` where it names all there are.
    static func varyFields(_ headers: HTTPFields, of request: TransportRequest) -> [VaryField]? {
        var names = Set<HTTPField.Name>()
        for element in headers[values: .vary].flatMap({ FieldList.elements($0) }) {
            // What is no name cannot be compared.
            guard element != "*", let name = HTTPField.Name(String(element)) else { return nil }
            names.insert(name)
        }
        return names.sorted { $0.canonicalName < $1.canonicalName }
            .map { VaryField(name: $0, value: normalized(request.headers, $0)) }
    }

    /// Lines of one field are one list, and space between its elements does not count.
    private static func normalized(_ headers: HTTPFields, _ name: HTTPField.Name) -> String? {
        let values = headers[values: name]
        if values.isEmpty { return nil }
        return values.flatMap { FieldList.elements($0) }.joined(separator: ", ")
    }

    /// About how many bytes it takes in memory.
    var size: Int {
        headers.reduce(256 + key.utf8.count + body.count) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64
        }
    }

    /// The same with what a newer answer to the same says (RFC 9111, 3.2 and 4.3.4).
    func freshened(by headers: HTTPFields, requestTime: Double, responseTime: Double) -> CacheEntry {
        var entry = self
        let kept: Set<HTTPField.Name> = [.contentEncoding, .contentType, .contentRange, .contentLength]
        let news = HTTPFields(Self.storable(headers).filter { !kept.contains($0.name) })
        entry.headers.merge(news, replacing: true)
        // An Age that is not repeated told of the older answer.
        if !news.contains(.age) { entry.headers[.age] = nil }
        entry.requestTime = requestTime
        entry.responseTime = responseTime
        return entry
    }

    /// The fields without those that were for one connection (RFC 9111, 3.1).
    static func storable(_ headers: HTTPFields) -> HTTPFields {
        let named = Set(
            headers[values: .connection].flatMap { FieldList.elements($0) }.map { $0.lowercased() }
        )
        return HTTPFields(
            headers.filter { !hopByHop.contains($0.name.canonicalName) && !named.contains($0.name.canonicalName) }
        )
    }

    private static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
    ]
}
