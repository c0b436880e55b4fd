/// The idempotency keys of deliveries.
package enum DeliveryKey {
    /// Returns the key `STREAM/RUN/SINK/SEQUENCE`; the requests after the first one for the same outputs end with `/2`,
    /// `/3`, and so on.
    ///
    /// In ids, characters other than ASCII letters, digits, `-`, `.`, `_`, and `~` are percent-encoded, so that no two
    /// outputs share a key.
    package static func make(stream: String, run: String, sink: String, sequence: Int, round: Int = 1) -> String {
        let key = "\(encoded(stream))/\(run)/\(encoded(sink))/\(sequence)"
        return round > 1 ? "\(key)/\(round)" : key
    }

    private static func encoded(_ id: String) -> String {
        var text = ""
        for byte in id.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }
}
