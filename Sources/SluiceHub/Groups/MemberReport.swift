#if Hub
import HTTPTypes
import SluiceJSON

/// The report of a group's member about the streams that it runs.
enum MemberReport {
    private static let mostStreams = 20_000
    private static let mostText = 1000

    /// Returns the states of the member's streams, reduced to the fields that the hub knows.
    static func streams(_ report: JSON) throws(Problem) -> [JSON] {
        guard case .object = report else { throw Problem(.unprocessableContent, "a report must be an object") }
        guard let streams = report["streams"]?.array, streams.count <= mostStreams else {
            throw Problem(.unprocessableContent, "a report needs \"streams\", an array of at most \(mostStreams)")
        }
        var read: [JSON] = []
        for stream in streams {
            guard let id = stream["id"]?.string, id.utf8.count <= 200, let revision = stream["revision"]?.int,
                let state = stream["state"]?.string, state.utf8.count <= 20
            else {
                throw Problem(
                    .unprocessableContent,
                    "each stream of a report needs \"id\", \"revision\", and \"state\""
                )
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

    /// Returns a Boolean value that indicates whether two reports differ in more than their times.
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
#endif
