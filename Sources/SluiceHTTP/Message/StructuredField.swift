#if HTTP
import HTTPTypes
import RawStructuredFieldValues

/// Writers of structured fields (RFC 9651).
enum StructuredField {
    /// Returns a text as the value of an item that is a string; characters outside printable ASCII, which such a string
    /// can't have, are percent-encoded.
    static func string(_ text: String) -> String {
        var ascii = ""
        for byte in text.utf8 {
            switch byte {
            case 0x20...0x7E: ascii.unicodeScalars.append(UnicodeScalar(byte))
            default: ascii += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        var serializer = StructuredFieldValueSerializer()
        // The text has only characters that a string allows, so that this doesn't fail.
        let bytes = try? serializer.writeItemFieldValue(Item(bareItem: RFC9651BareItem.string(ascii), parameters: [:]))
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}

/// The action of this cache for a request: a member of the list `Cache-Status` (RFC 9211).
struct CacheStatus: Sendable {
    private var parameters: OrderedMap<String, RFC9651BareItem> = [:]

    /// The answer is a stored one.
    static let hit: CacheStatus = {
        var status = CacheStatus()
        status.parameters["hit"] = .bool(true)
        return status
    }()

    /// The request was sent on, for a reason of RFC 9211.
    static func forwarded(_ reason: String, status: Int? = nil) -> CacheStatus {
        var text = CacheStatus()
        text.parameters["fwd"] = .token(reason)
        if let status { text.parameters["fwd-status"] = .integer(Int64(status)) }
        return text
    }

    /// Nothing was sent, and nothing is stored.
    static let onlyIfCached = CacheStatus().with(detail: "only-if-cached")

    /// The same with a detail.
    func with(detail: String) -> CacheStatus {
        var copy = self
        copy.parameters["detail"] = .token(detail)
        return copy
    }

    /// The same with the time in seconds for which the answer stays fresh.
    func with(ttl: Int) -> CacheStatus {
        var copy = self
        copy.parameters["ttl"] = .integer(Int64(ttl))
        return copy
    }

    /// The member of the list as text.
    var text: String {
        var serializer = StructuredFieldValueSerializer()
        let item = Item(bareItem: .token("sluice"), parameters: parameters)
        // All tokens are constants of this module, so that this doesn't fail.
        return String(decoding: (try? serializer.writeListFieldValue([.item(item)])) ?? [], as: UTF8.self)
    }
}
#endif
