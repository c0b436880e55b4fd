import SluiceExpressions
package import SluiceJSON

/// The partition of each item of a stream.
///
/// An item belongs to the partition that the hash of its key names: FNV-1a of 64 bits over the canonical text of the key, whose
/// bits are mixed by the finalizer of MurmurHash3. Every version of Sluice answers the same.
package struct PartitionKeys: Sendable {
    /// The number of partitions.
    package let count: Int
    private let key: StreamExpression

    /// Compiles the expression of the keys.
    ///
    /// - Parameters:
    ///   - partition: The division.
    ///   - document: The document, whose parameters the expression may name.
    ///   - parameters: The values of the parameters; `nil` for the defaults of the document.
    /// - Throws: `JSONErrors` for an invalid expression.
    package init(
        _ partition: StreamPartition,
        in document: StreamDocument,
        parameters: [String: JSON]? = nil
    ) throws(JSONErrors) {
        let compiler = StreamCompiler()
        let scope = CompilationScope(parameters: parameters ?? document.parameters)
        let expression = compiler.key(of: partition, scope)
        if let issue = compiler.issues.first {
            let root: JSONNode
            do { root = try JSONDocument(parsing: document.text).root } catch { throw JSONErrors([error]) }
            throw JSONErrors([JSONError(issue, in: root)])
        }
        (count, key) = (partition.count, expression)
    }

    /// Returns the partition of an item, from 0. An item whose key can't be evaluated has the key `null`.
    package func partition(of item: JSON) -> Int {
        if count == 1 { return 0 }
        let value = (try? key.evaluated([CELValue(item)])?.json()) ?? .null
        return Int(Self.hash(of: value) % UInt64(count))
    }

    /// Returns the hash of a key. Numbers that are equal have one hash: 1 and 1.0 are the same key.
    static func hash(of key: JSON) -> UInt64 {
        var normal = key
        if case .double(let number) = key, let whole = Int64(exactly: number) { normal = .int(whole) }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in normal.description.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ (hash >> 33)
    }
}
