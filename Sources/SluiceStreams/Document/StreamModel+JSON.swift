import Foundation
public import SluiceJSON

extension StreamModel: JSONReadable where Value: JSONReadable {
    /// Reads a stream.
    ///
    /// - Throws: `JSONError` with path and position.
    public init(json: JSONNode) throws {
        var object = try json.object()
        let text: String = try object["id"]
        guard let id = UUID(uuidString: text) else {
            throw JSONError(.invalidValue, "\(JSON.string(text)) is no UUID", at: json["id"] ?? json)
        }
        let source: StreamSource? = try object[ifPresent: "source"]
        if source != nil, let node = json["stream"] {
            throw JSONError(.invalidValue, StreamModel.oneOfBoth, at: node)
        }
        self.init(
            id: id,
            name: try object[ifPresent: "name"],
            description: try object[ifPresent: "description"],
            stream: source == nil ? try object["stream"] : [],
            operators: try object[ifPresent: "operators"],
            isDefault: try object[ifPresent: "isDefault"]
        )
        self.source = source
    }
}

extension StreamModel: JSONWritable where Value: JSONWritable {
    /// Writes the stream; what is `nil` is left out. One that cannot be saved is written as one that fails: its
    /// `Codable` form throws.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id.uuidString)
            $0.member("name", ifPresent: name)
            $0.member("description", ifPresent: description)
            if let failure {
                $0.member("source", StreamSource.named(NamedSource(.failure, ["message": .string(failure)])))
            } else if let source {
                $0.member("source", source)
            } else {
                $0.member("stream", stream)
            }
            $0.member("operators", ifPresent: operators)
            $0.member("isDefault", ifPresent: isDefault)
        }
    }
}
