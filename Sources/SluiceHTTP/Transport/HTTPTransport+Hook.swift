#if HTTP
public import Sluice

extension HTTPTransport {
    /// The filter around the exchanges of all transports that the running task uses.
    @TaskLocal static var hook: (any SimpleFilter<TransportRequest, TransportResponse>)?

    /// Calls `body` with a filter around every exchange of every transport that its task and the tasks that it starts
    /// use, however deep in the program the transport is made: for tests that record or replace what a program sends.
    ///
    /// ```swift
    /// let cassette = try Cassette("Fixtures/names.json")  // of SluiceTesting
    /// let names = try await HTTPTransport.hooked(by: cassette) {
    ///     try await HTTP.get("https://api.example.com/names", as: [String].self)
    /// }
    /// ```
    ///
    /// The filter is called once for each attempt, with the request as it is sent, and need not call its next node. An
    /// inner call of this function replaces the filter of an outer one; ``Settings/hook`` is further inside.
    ///
    /// - Returns: the result of `body`, whose error it throws. `body` is called once, on the caller's executor.
    nonisolated(nonsending) public static func hooked<Result>(
        by filter: some SimpleFilter<TransportRequest, TransportResponse>,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await $hook.withValue(filter) { try await body() }
    }

    /// Returns a node with a filter around it.
    static func node(
        _ filter: any SimpleFilter<TransportRequest, TransportResponse>,
        around node: AnyNode<TransportRequest, TransportResponse>
    ) -> AnyNode<TransportRequest, TransportResponse> {
        func open(
            _ filter: some SimpleFilter<TransportRequest, TransportResponse>
        ) -> AnyNode<TransportRequest, TransportResponse> {
            AnyNode(filter.andThen(node))
        }
        return open(filter)
    }
}
#endif
