#if HTTP
import Foundation
import HTTPTypes

/// Facts about a request that stages pass to each other. They are never sent.
struct RequestNotes: Sendable {
    /// The address of the call's first request, after a redirect was followed.
    var firstURL: URL?
    /// The fields that stages added for certain origins; they don't follow a redirect to another origin.
    var bound: [HTTPField.Name] = []
    /// The fields that identify the user, in addition to those that always do.
    var credentials: [HTTPField.Name] = []
    /// The identities from stages for the whole call.
    var identity: [String] = []
    /// The fields whose user is known from `identity`, though they differ for each attempt.
    var vouched: [HTTPField.Name] = []
    /// The form of the field with the deadline, which the transport updates.
    var deadlineForm: DeadlineHeaderFilter.Form?
    /// A Boolean value that indicates whether new credentials replaced refused ones, so that a stored refusal does not
    /// apply.
    var isRefreshed = false

    /// A reference to notes, so that they add only one word to the size of a request.
    final class Box: Sendable {
        let notes: RequestNotes
        init(_ notes: RequestNotes) { self.notes = notes }
    }
}

extension TransportRequest {
    /// Changes the notes of the request.
    mutating func note(_ change: (inout RequestNotes) -> Void) {
        var notes = notes
        change(&notes)
        box = RequestNotes.Box(notes)
    }

    /// The notes of the request.
    var notes: RequestNotes { box?.notes ?? RequestNotes() }

    /// Notes that a stage added fields for certain origins, and whether they identify the user.
    mutating func noteAdded(_ names: [HTTPField.Name], isCredential: Bool) {
        let known = box?.notes
        let bound = names.filter { known?.bound.contains($0) != true }
        let credentials = isCredential ? names.filter { known?.credentials.contains($0) != true } : []
        guard !bound.isEmpty || !credentials.isEmpty else { return }
        note {
            $0.bound += bound
            $0.credentials += credentials
        }
    }
}

extension HTTPField.Name {
    /// The field `X-API-Key`.
    static let apiKey = name("X-API-Key")

    /// A Boolean value that indicates whether the field identifies the user, regardless of the stage that adds it.
    var isCredential: Bool {
        self == .authorization || self == .cookie || self == .proxyAuthorization || self == .apiKey
    }
}
#endif
