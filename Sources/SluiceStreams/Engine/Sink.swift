/// The end of a stream.
public enum StreamEnd: Sendable {
    /// All values have been passed on.
    case completed
    /// The stream failed.
    case failed(any Error)
}

/// The receiver of the values of one subscription.
///
/// The sender calls ``receive`` any number of times and ``finish(_:)`` at most once, and checks the lifetime before
/// each value that it sends without having been called or woken.
@usableFromInline struct Sink<Value> {
    /// A closure that takes a value.
    @usableFromInline let receive: (Value) -> Void
    /// A closure that takes the end; called only by ``finish(_:)``, or by a sink of the same lifetime.
    @usableFromInline let end: (StreamEnd) -> Void
    /// The lifetime of the subscription.
    @usableFromInline let lifetime: Lifetime

    @inlinable init(
        lifetime: Lifetime,
        end: @escaping (StreamEnd) -> Void,
        receive: @escaping (Value) -> Void
    ) {
        self.lifetime = lifetime
        self.end = end
        self.receive = receive
    }

    /// A Boolean value that indicates whether nothing is wanted any more.
    @inlinable var isClosed: Bool { lifetime.isClosed }

    /// Delivers the end, unless it was delivered before, and closes the subscription.
    @inlinable func finish(_ ending: StreamEnd) {
        guard lifetime.beginEnding() else { return }
        end(ending)
        lifetime.close()
    }

    /// Returns a sink of the same lifetime with another treatment of values, for operators that end when their input
    /// does.
    @inlinable func receiving<Input>(_ receive: @escaping (Input) -> Void) -> Sink<Input> {
        Sink<Input>(lifetime: lifetime, end: end, receive: receive)
    }
}
