public import SluiceJSON

extension StreamModel {
    /// The members of a document that have properties of their own.
    static var known: [String] { ["id", "name", "description", "stream", "source", "operators", "isDefault"] }

    /// The default values of `${…}`.
    public var parameters: [String: JSON] {
        guard case .object(let object) = try? member("parameters")?.json() else { return [:] }
        return Dictionary(object.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// The declared type of the source's items; `nil` for any.
    public var item: ItemType? {
        guard let json = try? member("item")?.json() else { return nil }
        if let name = json.string { return ItemType(name) }
        return (try? ItemSchema(parsing: json.description)).map { .schema($0) }
    }

    /// The number of times that the document was written; `nil` if it isn't recorded.
    public var revision: Int? { try? member("revision")?.json().int }

    private func member(_ key: String) -> JSONSlice? { kept.first { $0.key == key }?.value }

    /// Returns the kept members that precede a known member in canonical text, or follow the last for `nil`.
    func kept(before next: String?) -> [KeptMember] {
        let keys = DocumentReader.keys
        guard let next, let end = keys.firstIndex(of: next) else {
            let last = keys.lastIndex { Self.known.contains($0) } ?? 0
            return kept.filter { member in keys.firstIndex(of: member.key).map { $0 > last } ?? true }
        }
        let start = keys[..<end].lastIndex { Self.known.contains($0) } ?? -1
        return kept.filter { member in keys.firstIndex(of: member.key).map { $0 > start && $0 < end } ?? false }
    }

    /// The reason that the stream can't be saved.
    var problem: String? { failure ?? (source != nil && !stream.isEmpty ? Self.oneOfBoth : nil) }
}
