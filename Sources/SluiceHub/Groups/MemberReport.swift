import HTTPTypes
import SluiceJSON

/// What a member of a group says of itself.
enum MemberReport {
    private static let mostStreams = 20_000
    private static let mostText = 1000

    /// What it says of its streams, as far as it is known here.
    static func streams(_ report: JSON) throws(Problem) -> [JSON] {
        guard case .object = report else { throw Problem(.unprocessableContent, "a report is an object") }
        guard let streams = report["streams"]?.array, streams.count <= mostStreams else {
            throw Problem(.unprocessableContent, "a report has \"streams\", an array of at most \(mostStreams)")
        }
        var read: [JSON] = []
        for stream in streams {
            guard let id = stream["id"]?.string, id.utf8.count <= 200, let revision = stream["revision"]?.int,
                let state = stream["state"]?.string, state.utf8.count <= 20
            else {
                throw Problem(.unprocessableContent, "a stream of a report has \"id\", \"revision\" and \"state\"")
            }
            var object: JSON.Object = [
                "id": .string(id), "revision": .int(Int64(revision)), "state": .string(state),
            ]
            if let time = stream["time"]?.double { object["time"] = .double(time) }
            if let error = stream["error"]?.string { object["error"] = .string(String(error.prefix(mostText))) }
            read.append(.object(object))
        }
        return read
    }

    /// Whether a report says something that is worth telling: more than that time goes on.
    static func differs(_ old: JSON, _ new: JSON) -> Bool {
        func essence(_ json: JSON) -> [JSON] {
            (json.array ?? []).map { stream in
                guard case .object(var object) = stream else { return stream }
                object["time"] = nil
                return .object(object)
            }
        }
        return essence(old) != essence(new)
    }
}
