public import Foundation
import SluiceJSON

/// A stream as a Codable value: it can be stored, edited without a new build, and shared.
///
/// ```swift
/// let items = (1...4).map { StreamItem(value: $0, operators: [.delay(seconds: 1)]) }
/// let model = StreamModel(id: UUID(), name: "Serial Stream A", description: nil, stream: items)
/// for try await value in model.values() { print(value) }  // 1 2 3 4, a second apart
/// ```
///
/// An item is passed on after the one before it, so that delays add up.
///
/// In code, operators are methods. With an expression as text, the stream remains data, which can be saved. With a
/// closure, it becomes a ``Flow``, which can run but not be saved.
///
/// ```swift
/// let large = StreamModel.values(1, 2, 3).filter("x > 1")  // StreamModel<Int>
/// let saved = try SluiceJSONEncoder().encode(large)
/// let flow = large.map { $0 * 2 }                          // Flow<Int>
/// ```
///
/// A document that is read as a model and saved loses nothing: parameters, tests, `x-…`, and unknown members are kept
/// byte for byte.
public struct StreamModel<Value: Codable & Sendable>: Codable, Identifiable, Sendable {
    /// The id of the document, as in its text: a UUID, or a name such as `serial-stream-a`; empty if the document has none,
    /// and then none is saved.
    public var documentID: String
    /// The display name.
    public var name: String?
    /// The purpose of the stream.
    public var description: String?
    /// The items, in order; empty if there is a ``source``.
    public var stream: [StreamItem<Value>]
    /// The source of the values, if it isn't a list of items.
    public var source: StreamSource?
    /// The operators that are applied to all items, in order; `nil` for no operators.
    public var operators: [Operator]?
    /// A Boolean value that indicates whether the stream is part of the program's distribution; it is read and kept.
    public var isDefault: Bool?
    /// The members of the document without a property, in the order of canonical text.
    var kept: [KeptMember] = []
    /// The reason why the stream can't be saved or run: a value that JSON can't hold.
    var failure: String?

    /// Creates a stream of items.
    public init(
        id: UUID = UUID(),
        name: String? = nil,
        description: String? = nil,
        stream: [StreamItem<Value>],
        operators: [Operator]? = nil,
        isDefault: Bool? = nil
    ) {
        self.init(
            documentID: id.uuidString,
            name: name,
            description: description,
            stream: stream,
            operators: operators,
            isDefault: isDefault
        )
    }

    /// Creates a stream of items under the id of a document, which may be a name.
    ///
    /// ```swift
    /// let model = StreamModel(documentID: "ones", stream: [StreamItem(value: 1)])
    /// try model.document().id                                // ones
    /// ```
    public init(
        documentID: String,
        name: String? = nil,
        description: String? = nil,
        stream: [StreamItem<Value>],
        operators: [Operator]? = nil,
        isDefault: Bool? = nil
    ) {
        self.documentID = documentID
        self.name = name
        self.description = description
        self.stream = stream
        self.operators = operators
        self.isDefault = isDefault
    }

    /// Creates a stream of another source.
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

    /// The identity of the stream, through all edits: ``documentID`` if it is a UUID; otherwise a UUID that is derived
    /// from it, the same on every machine, or from the display name if the document has no id. A new value becomes the
    /// document's id.
    public var id: UUID {
        get { UUID(documentID: documentID.isEmpty ? name ?? "" : documentID) }
        set { documentID = newValue.uuidString }
    }
}

extension StreamModel: Equatable where Value: Equatable {}
extension StreamModel: Hashable where Value: Hashable {}
