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
        self.init(
            id: id,
            name: try object[ifPresent: "name"],
            description: try object[ifPresent: "description"],
            stream: try object["stream"],
            operators: try object[ifPresent: "operators"],
            isDefault: try object[ifPresent: "isDefault"]
        )
    }
}

extension StreamModel: JSONWritable where Value: JSONWritable {
    /// Writes the stream; what is `nil` is left out.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id.uuidString)
            $0.member("name", ifPresent: name)
            $0.member("description", ifPresent: description)
            $0.member("stream", stream)
            $0.member("operators", ifPresent: operators)
            $0.member("isDefault", ifPresent: isDefault)
        }
    }
}
