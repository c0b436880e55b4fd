#if HTTP
extension String {
    /// The text for a message: at most 100 characters of it.
    package var shortened: String { count > 100 ? prefix(100) + "…" : self }
}
#endif
