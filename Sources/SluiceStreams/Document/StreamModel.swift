public import Foundation

/// A stream as a Codable value: it can be stored, edited without a new build, and shared.
///
/// ```swift
/// let items = (1...4).map { StreamItem(value: $0, operators: [.delay(seconds: 1)]) }
/// let model = StreamModel(id: UUID(), name: "Serial Stream A", description: nil, stream: items)
/// for try await value in model.values() { print(value) }  // 1 2 3 4, a second apart
/// ```
///
/// An item is passed on after the one before it: delays add up.
///
/// In code, operators are methods. With the text of an expression the stream stays data: it can be saved. With a
/// closure it becomes a ``Flow``, which runs and cannot be saved.
///
/// ```swift
/// let large = StreamModel.values(1, 2, 3).filter("x > 1")  // StreamModel<Int>
/// let saved = try SluiceJSONEncoder().encode(large)
/// let flow = large.map { $0 * 2 }                          // Flow<Int>
/// ```
public struct StreamModel<Value: Codable & Sendable>: Codable, Identifiable, Sendable {
    /// Who this is, through all edits.
    public var id: UUID
    /// What people call it.
    public var name: String?
    /// What it is for.
    public var description: String?
    /// The items, in order; none where there is a ``source``.
    public var stream: [StreamItem<Value>]
    /// Where the values come from, if not from items.
    public var source: StreamSource?
    /// What happens to the items, in order; `nil` is nothing.
    public var operators: [Operator]?
    /// Whether it came with the program: read and kept.
    public var isDefault: Bool?
    /// Why the stream cannot be saved or run: a value that JSON cannot hold.
    var failure: String?

    /// Makes a stream of items.
    public init(
        id: UUID = UUID(),
        name: String? = nil,
        description: String? = nil,
        stream: [StreamItem<Value>],
        operators: [Operator]? = nil,
        isDefault: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.stream = stream
        self.operators = operators
        self.isDefault = isDefault
    }

    /// Makes a stream of another source.
    public init(
        id: UUID = UUID(),
        name: String? = nil,
        description: String? = nil,
        source: StreamSource,
        operators: [Operator]? = nil
    ) {
        self.init(id: id, name: name, description: description, stream: [], operators: operators)
        self.source = source
    }
}

extension StreamModel: Equatable where Value: Equatable {}
extension StreamModel: Hashable where Value: Hashable {}
