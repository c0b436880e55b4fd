/// A pending call that the timer ends with the error of a deadline.
///
/// `@unchecked Sendable`: restates the superclass's conformance; nothing is stored here.
final class DeadlineCall<Response: Sendable>: PendingCall<Response>, @unchecked Sendable {
    override func fire() { end(.failure(DeadlineError()), expires: true) }
}
