#if HTTP
import HTTPTypes

/// A stored answer to a GET, with the data that decides whether it can be used.
struct CacheEntry: Sendable, Equatable {
    /// A request field that the answer depends on, with its value at that time; `nil` if it was missing.
    struct VaryField: Sendable, Equatable {
        let name: HTTPField.Name
        let value: String?
        /// A Boolean value that indicates whether the value is a keyed hash, as credentials are.
        var isHashed = false
    }

    /// The address.
    var key: String
    /// The part of the cache that it belongs to: see ``CachePartition``.
    var partition = ""
    var vary: [VaryField]
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: [UInt8]
    /// The time at which the request was sent, in seconds since 1970.
    var requestTime: Double
    /// The time at which the head of the answer arrived, in seconds since 1970.
    var responseTime: Double

    /// Returns whether the answer fits a request, according to `Vary` (RFC 9111, 4.1).
    func matches(_ request: TransportRequest, _ partition: CachePartition) -> Bool {
        vary.allSatisfy { field in
            let value = Self.normalized(request.headers, field.name)
            guard field.isHashed, let value else { return value == field.value }
            return partition.hash?.text(of: [value]) == field.value
        }
    }

    /// Returns the fields that `Vary` names, with their values in a request; `nil` if it names all fields.
    ///
    /// Values of credentials are hashed, so that no file contains a token.
    static func varyFields(
        _ headers: HTTPFields,
        of request: TransportRequest,
        _ partition: CachePartition
    ) -> [VaryField]? {
        var names = Set<HTTPField.Name>()
        for element in headers[values: .vary].flatMap({ FieldList.elements($0) }) {
            // An invalid field name can't be compared.
            guard element != "*", let name = HTTPField.Name(String(element)) else { return nil }
            names.insert(name)
        }
        return names.sorted { $0.canonicalName < $1.canonicalName }
            .map { name in
                let value = normalized(request.headers, name)
                guard request.isIdentifying(name), let value, let hash = partition.hash else {
                    return VaryField(name: name, value: value)
                }
                return VaryField(name: name, value: hash.text(of: [value]), isHashed: true)
            }
    }

    /// Returns the value of a field for comparison: its lines joined to one list, without space between the elements.
    private static func normalized(_ headers: HTTPFields, _ name: HTTPField.Name) -> String? {
        let values = headers[values: name]
        if values.isEmpty { return nil }
        return values.flatMap { FieldList.elements($0) }.joined(separator: ", ")
    }

    /// The approximate size in memory, in bytes.
    var size: Int {
        headers.reduce(256 + key.utf8.count + body.count) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64
        }
    }

    /// Returns the entry updated with the headers of a newer answer for the same resource (RFC 9111, 3.2 and 4.3.4).
    func freshened(by headers: HTTPFields, requestTime: Double, responseTime: Double) -> CacheEntry {
        var entry = self
        let kept: Set<HTTPField.Name> = [.contentEncoding, .contentType, .contentRange, .contentLength]
        let news = HTTPFields(Self.storable(headers).filter { !kept.contains($0.name) })
        entry.headers.merge(news, replacing: true)
        // An Age that the newer answer does not repeat belongs to the older answer.
        if !news.contains(.age) { entry.headers[.age] = nil }
        entry.requestTime = requestTime
        entry.responseTime = responseTime
        return entry
    }

    /// Returns the fields without connection-specific ones (RFC 9111, 3.1) and without cookies: an answer from the
    /// cache sets no cookies.
    static func storable(_ headers: HTTPFields) -> HTTPFields {
        let named = Set(
            headers[values: .connection].flatMap { FieldList.elements($0) }.map { $0.lowercased() }
        )
        return HTTPFields(
            headers.filter { !unstored.contains($0.name.canonicalName) && !named.contains($0.name.canonicalName) }
        )
    }

    private static let unstored: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie",
    ]
}
#endif
