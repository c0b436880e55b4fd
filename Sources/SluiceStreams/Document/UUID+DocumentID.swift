import Foundation

extension UUID {
    /// Creates the identity for the id of a document: the UUID itself if the id is a UUID; otherwise one that is
    /// derived from the text, the same on every machine (RFC 9562, version 8).
    init(documentID text: String) {
        if let uuid = UUID(uuidString: text) {
            self = uuid
            return
        }
        var bytes: [UInt8] = []
        for half in ["high", "low"] {
            var fingerprint = Fingerprint()
            fingerprint.add(half)
            fingerprint.add(text)
            bytes += withUnsafeBytes(of: fingerprint.value.bigEndian, Array.init)
        }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        )
    }
}
