/// The cookie by which the page is known where the hub has a token.
enum SessionCookie {
    static let name = "sluice_session"
}
