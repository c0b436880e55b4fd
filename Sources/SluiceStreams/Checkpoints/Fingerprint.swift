import SluiceJSON

/// A number that distinguishes texts, FNV-1a of 64 bits (Fowler, Noll, and Vo): for documents, not for secrets.
struct Fingerprint {
    /// The number.
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Adds a text.
    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0xff)
    }

    private mutating func add(_ byte: UInt8) {
        value ^= UInt64(byte)
        value &*= 0x0000_0100_0000_01b3
    }

    /// The sixteen hexadecimal digits of the number.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension StreamDocument {
    /// Returns a fingerprint of everything that decides how the stream runs: its source, operators, and parameters, and
    /// those of the streams that it refers to. The name and the tests are not part of it.
    func fingerprint(in library: StreamLibrary, parameters given: [String: JSON] = [:]) -> String {
        var fingerprint = Fingerprint()
        var entered: Set<String> = []
        func add(_ document: StreamDocument, _ given: [String: JSON]) {
            var writer = JSONWriter()
            writer.object { document.pipeline.writeMembers(to: &$0) }
            fingerprint.add(writer.text)
            let parameters = document.parameters.merging(given) { $1 }
            for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { fingerprint.add("\(name): \(value)") }
            for id in document.pipeline.references {
                guard case .document(let other) = library.find(id), entered.insert(id).inserted else { continue }
                fingerprint.add(id)
                add(other, [:])
            }
        }
        add(self, given)
        return fingerprint.text
    }
}
