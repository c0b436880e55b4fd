/// A stream that is subscribed for each of consecutive parts of another, and ends the part with its first value.
struct Renewal<Signal>: Sendable {
    let signal: Flow<Signal>
    /// A Boolean value that indicates whether its completion ends the part too.
    var renewsAtCompletion = false

    /// Begins the first part, and a further part at each signal.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime of the parts.
    ///   - renew: A closure that ends the previous part, if there is one, and begins the next.
    ///   - failed: A closure that is called with the error of the signal.
    func subscribe(
        _ scope: Scope,
        _ lifetime: Lifetime,
        renew: @escaping () -> Void,
        failed: @escaping (StreamEnd) -> Void
    ) {
        let isRenewing = Cell(false)
        let isDue = Cell(false)
        func listen() {
            let own = lifetime.child()
            let signaled = Sink<Signal>(
                lifetime: own,
                end: { end in
                    if case .failed = end { return failed(end) }
                    guard renewsAtCompletion else { return }
                    own.close()
                    begin()
                },
                receive: { _ in
                    own.close()
                    begin()
                }
            )
            signal.subscribe(scope, signaled)
        }
        // A loop, because an immediate signal would nest the next part within itself.
        func begin() {
            isDue.state = true
            if isRenewing.state { return }
            isRenewing.state = true
            defer { isRenewing.state = false }
            while isDue.state, !lifetime.isClosed, scope.run.spend() {
                isDue.state = false
                renew()
                if !lifetime.isClosed { listen() }
            }
        }
        if scope.isRestoring { listen() } else { begin() }
    }
}
