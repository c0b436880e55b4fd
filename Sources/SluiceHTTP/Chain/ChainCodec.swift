#if HTTP
public import Sluice

/// The part that distinguishes kinds of chains: how an input becomes a request, and an answer an output.
///
/// Chains for JSON, forms, multipart forms, and plain data have the same stages with different codecs.
///
/// ```swift
/// let text = ChainCodec<String, String>(
///     "text",
///     prepare: { TransportRequest(.post, URL(string: "http://example.com/echo")!, body: .bytes(Array($0.utf8))) },
///     read: { response, _ in String(decoding: response.body.bytes ?? [], as: UTF8.self) }
/// )
/// let echo = text.andThen(HTTPTransport())
/// ```
public struct ChainCodec<Input: Sendable, Output: Sendable>: Filter, CustomStringConvertible {
    /// The input of the chain.
    public typealias RequestIn = Input
    /// The output of the chain.
    public typealias ResponseOut = Output
    /// The request that the codec sends to the next stage.
    public typealias RequestOut = TransportRequest
    /// The answer of the next stage.
    public typealias ResponseIn = TransportResponse

    let name: String
    let prepare: @Sendable (Input) async throws -> TransportRequest
    let read: @Sendable (TransportResponse, TransportRequest) throws -> Output
    /// The maximum length of a body that the codec collects itself, if no stage did; `nil` leaves it streamed.
    let limit: Int?

    /// Makes a codec.
    ///
    /// - Parameters:
    ///   - name: the name of the stage.
    ///   - limit: the maximum number of bytes in a body; `nil` passes on streamed bodies.
    ///   - prepare: a closure that makes the request; called once for each call, first.
    ///   - read: a closure that reads the answer; called once for each answer, with its request.
    public init(
        _ name: String,
        limit: Int? = 64 << 20,
        prepare: @escaping @Sendable (Input) async throws -> TransportRequest,
        read: @escaping @Sendable (TransportResponse, TransportRequest) throws -> Output
    ) {
        self.name = name
        self.limit = limit
        self.prepare = prepare
        self.read = read
    }

    /// Makes a request from `input`, calls `next`, and reads its answer.
    ///
    /// - Throws: the errors of the two closures and of `next`; ``HTTPError`` when the body is too long.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ input: Input,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> Output {
        let request = try await prepare(input)
        try Task.checkCancellation()
        var response = try await next.process(request)
        if let limit, response.body.bytes == nil { response = try await response.whole(upTo: limit, for: request) }
        return try read(response, request)
    }

    /// Returns the same codec with another output, made from the answer and the value read from it.
    func map<Other: Sendable>(
        _ transform: @escaping @Sendable (TransportResponse, Output) -> Other
    ) -> ChainCodec<Input, Other> {
        ChainCodec<Input, Other>(name, limit: limit, prepare: prepare) { [read] response, request in
            transform(response, try read(response, request))
        }
    }

    /// The name of the codec.
    public var description: String { name }
}

extension TransportResponse {
    /// Returns the answer with its body in memory; a body that is too long is an error of the call.
    nonisolated(nonsending) func whole(upTo limit: Int, for request: TransportRequest) async throws -> TransportResponse
    {
        do { return try await whole(upTo: limit) } catch let error as ByteStreamError {
            let code: HTTPError.Code = error == .alreadyRead ? .badBody : .bodyTooLarge
            throw HTTPError(
                code,
                "\(error)",
                request: request,
                response: TransportResponse(status: status, headers: headers)
            )
        }
    }
}
#endif
