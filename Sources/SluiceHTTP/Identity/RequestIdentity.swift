#if HTTP
import HTTPTypes

extension TransportRequest {
    /// The user of the request, as far as its fields identify one: Authorization, Proxy-Authorization, Cookie,
    /// X-API-Key, every field that a stage added as a credential, and the identities from stages; empty for an
    /// anonymous request.
    var identity: [String] {
        let notes = box?.notes
        var parts = notes?.identity ?? []
        for field in headers where isIdentifying(field.name) {
            parts.append("\(field.name.canonicalName): \(field.value)")
        }
        return parts.count > 1 ? parts.sorted() : parts
    }

    /// Returns whether a field identifies the user.
    func isIdentifying(_ name: HTTPField.Name) -> Bool {
        name.isCredential || box?.notes.credentials.contains(name) == true
    }
}

extension HTTPError {
    /// Returns whether the error is for the user of `request`: neither its answer nor its request has the credentials of
    /// another one.
    func isForUser(of request: TransportRequest) -> Bool {
        var answer = response ?? TransportResponse()
        if let sent = self.request { answer.noteSent(sent) }
        return answer.isForUser(of: request)
    }
}

extension TransportResponse {
    /// Notes the request sent on the wire, unless a stage further inside has done so.
    mutating func noteSent(_ request: TransportRequest) {
        guard sent == nil else { return }
        sent = request.headers
        sentNotes = request.box
    }

    /// Returns whether a field had the same value on the wire as in `request`; `true` if that is unknown.
    func hasSent(_ name: HTTPField.Name, as request: TransportRequest) -> Bool {
        guard let sent else { return true }
        return sent[values: name] == request.headers[values: name]
    }

    /// Returns whether the answer is for the user of `request`: no stage further inside has added or changed a field
    /// that identifies a user, unless `request` has an identity for it.
    func isForUser(of request: TransportRequest) -> Bool {
        guard let sent else { return true }
        let vouched = request.box?.notes.identity.isEmpty == false ? sentNotes?.notes.vouched ?? [] : []
        func isSame(_ name: HTTPField.Name) -> Bool { vouched.contains(name) || hasSent(name, as: request) }
        for field in sent where field.name.isCredential && !isSame(field.name) { return false }
        for field in request.headers where request.isIdentifying(field.name) && !isSame(field.name) { return false }
        return sentNotes?.notes.credentials.allSatisfy(isSame) ?? true
    }
}
#endif
