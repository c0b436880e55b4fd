import Sluice
import SluiceJSON

/// A number that distinguishes sequences of texts: for documents, not for secrets.
struct Fingerprint {
    private var hash = FNV1a()

    /// The number.
    var value: UInt64 { hash.value }

    /// Adds a text.
    mutating func add(_ text: String) {
        hash.add(text)
        // No text in UTF-8 has this byte.
        hash.add(0xff)
    }

    /// The sixteen hexadecimal digits of the number.
    var text: String { hash.text }
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
