#if HTTP
import Foundation
package import HTTPTypes
import SluiceHTTP
package import SluiceStreams

extension WebhookSignature {
    /// Returns the key of the code, from the value of the secret.
    ///
    /// - Throws: ``SecretsError`` if the value can't be decoded; it does not contain the value.
    package func key(from value: String) throws(SecretsError) -> [UInt8] {
        guard keyForm == .base64 else { return Array(value.utf8) }
        let text = value.hasPrefix("whsec_") ? value.dropFirst("whsec_".count) : value[...]
        let digits = text.prefix { $0 != "=" }
        let padded = digits + String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        guard !digits.isEmpty, digits.utf8.count % 4 != 1, text == digits || text == padded,
            let key = Data(base64Encoded: String(padded))
        else {
            throw SecretsError(
                "the secret '\(secret)' can't be decoded: by \"key\" it is base64, after an optional 'whsec_'"
            )
        }
        return Array(key)
    }

    /// Returns a Boolean value that indicates whether a request has the signature of its body.
    ///
    /// All values of the signature's field are compared, each in a time that does not depend on its bytes.
    ///
    /// - Parameters:
    ///   - key: The key that ``key(from:)`` returns.
    ///   - now: The wall time, in seconds since 1970.
    package func isValid(_ headers: HTTPFields, _ body: [UInt8], key: [UInt8], now: Int64) -> Bool {
        var time = ""
        if let timestamp {
            guard let text = values(of: timestamp, in: headers, after: timestampPrefix).first,
                (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
                let seconds = Int64(text), abs(now - seconds) <= tolerance
            else { return false }
            time = text
        }
        var message: [UInt8] = []
        for part in signed {
            switch part {
            case .text(let text): message += Array(text.utf8)
            case .timestamp: message += Array(time.utf8)
            case .body: message += body
            case .header(let name):
                guard let field = HTTPField.Name(name), let value = headers[field] else { return false }
                message += Array(value.utf8)
            }
        }
        let code = HMAC.code(of: message, key: key, algorithm)
        var isValid = false
        for text in values(of: header, in: headers, after: prefix).prefix(16) {
            guard let given = bytes(of: text) else { continue }
            if HMAC.isEqual(given, code) { isValid = true }
        }
        return isValid
    }

    /// Returns the values of a field that begin with a prefix, without it.
    private func values(of name: String, in headers: HTTPFields, after prefix: String) -> [String] {
        guard let field = HTTPField.Name(name) else { return [] }
        return headers[values: field].flatMap { $0.split { ", \t".contains($0) } }
            .compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
    }

    private func bytes(of text: String) -> [UInt8]? {
        switch encoding {
        case .base64: return Data(base64Encoded: text).map(Array.init)
        case .hex:
            let digits = Array(text.utf8)
            guard digits.count % 2 == 0, digits.count <= 128 else { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                guard let high = PercentEncoding.value(of: digits[index]),
                    let low = PercentEncoding.value(of: digits[index + 1])
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            }
            return bytes
        }
    }
}
#endif
