#if Server
public import Hummingbird
public import Sluice

extension Node {
    /// Returns this node as the handler of a route.
    ///
    /// ```swift
    /// import Hummingbird
    ///
    /// let greet = AnyNode<String, String> { "Hello, \($0)!" }
    /// let node = TimeoutFilter(.seconds(1)).andThen(greet)
    /// let router = Router()
    /// router.get("hello/:name", use: node.handler { _, context in try context.parameters.require("name") })
    /// ```
    ///
    /// When a filter refuses or ends the call, the answer is that of `HTTPError.init(filterError:)`;
    /// Hummingbird handles other errors. A timeout around the node answers immediately, even if the node ignores
    /// cancellation.
    ///
    /// - Parameter input: a closure that returns the input of the node; called for each request. Its error is answered.
    public func handler<Context: RequestContext>(
        _ input: @escaping @Sendable @concurrent (Request, Context) async throws -> Input
    ) -> @Sendable @concurrent (Request, Context) async throws -> Output where Output: ResponseGenerator {
        handler(input, response: { $0 })
    }

    /// Returns this node as the handler of a route, with an answer that is made from its output.
    ///
    /// ```swift
    /// import Hummingbird
    ///
    /// let count = AnyNode<String, Int> { $0.count }
    /// let router = Router()
    /// router.get("count/:word", use: count.handler { _, context in
    ///     try context.parameters.require("word")
    /// } response: { "\($0) letters" })
    /// ```
    ///
    /// - Parameters:
    ///   - input: a closure that returns the input of the node; called for each request. Its error is answered.
    ///   - response: a closure that makes the answer; called with the output of the node.
    public func handler<Context: RequestContext, Answer: ResponseGenerator>(
        _ input: @escaping @Sendable @concurrent (Request, Context) async throws -> Input,
        response: @escaping @Sendable (Output) throws -> Answer
    ) -> @Sendable @concurrent (Request, Context) async throws -> Answer {
        { request, context in
            let input = try await input(request, context)
            do { return try response(try await process(input)) } catch {
                throw HTTPError(filterError: error) ?? error
            }
        }
    }
}
#endif
