#if HTTP
import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that sends the cookies of a jar with requests, and stores the cookies that servers set.
///
/// ```swift
/// let jar = CookieJar()
/// let chain: RequestChain<Void, User> = URLChainBuilder<UserRoute>().set(.cookies, CookieFilter(jar))
///     .route(.get, .user("me")).build()
/// ```
///
/// The jar decides by domain and path which server gets a cookie, so that a redirect to another server takes none
/// along. A login whose cookie is set by a redirect works, too. Cookies that the request already has come first.
public struct CookieFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let jar: CookieJar

    /// Makes a filter over a jar, which any number of filters may share.
    public init(_ jar: CookieJar) { self.jar = jar }

    /// Calls `next` with the cookies.
    ///
    /// - Throws: the error of `next`; the cookies of an answer within an ``HTTPError`` are kept, too.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        var sent = request
        if let cookies = jar.header(for: request, first: request.box?.notes.firstURL) {
            let own = request.headers[values: .cookie].map { $0 + "; " }.joined()
            sent.add([.cookie: own + cookies], replacing: true, isCredential: true)
        }
        do {
            var response = try await next.process(sent)
            response.noteSent(sent)
            keep(response, of: request)
            return response
        } catch let error as HTTPError {
            if let response = error.response { keep(response, of: request) }
            throw error
        }
    }

    private func keep(_ response: TransportResponse, of request: TransportRequest) {
        for field in response.headers[values: .setCookie] { jar.set(field, from: request.url) }
    }

    /// The description `CookieFilter`.
    public var description: String { "CookieFilter" }
}

extension CookieFilter: ChainStage {
    /// The declaration: per hop; adds Cookie.
    public var declaration: StageDeclaration { StageDeclaration(.hop, adds: .named([.cookie])) }
    /// The role ``StackRole/credentials``.
    public var stackRole: StackRole { .credentials }
}

extension StageName {
    /// Cookies.
    public static let cookies = StageName("cookies", .hop)
}

extension Filter where Self == CookieFilter {
    /// Returns a filter that keeps the cookies of answers in a jar and sends them, for the stage `cookies`; see
    /// `CookieFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.cookies, .cookies(CookieJar()))
    /// ```
    public static func cookies(_ jar: CookieJar) -> Self { CookieFilter(jar) }
}
#endif
