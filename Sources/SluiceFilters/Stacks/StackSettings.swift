internal import SluiceJSON

/// The settings of one filter, budget, or balancer in a document, including defaults.
///
/// A ``StackReader`` has checked them, so that required values are present and in range.
struct StackSettings: Sendable, Hashable {
    let json: JSON

    /// Settings without values, so that each key has its default.
    static let defaults = StackSettings(json: .null)

    /// Returns these settings without some of their keys.
    func without(_ keys: [String]) -> StackSettings {
        guard !keys.isEmpty, let object = json.object else { return self }
        return StackSettings(json: .object(JSON.Object(object.filter { !keys.contains($0.key) })))
    }
}
