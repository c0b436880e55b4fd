#if HTTP
public import SluiceHTTP
public import SluiceJSON

/// NodeKit's name for the raw form of models. It is a Sendable value, not `[String: Any]`.
///
/// ```swift
/// struct PhotoEntry: Codable, RawMappable {
///     typealias Raw = Json
///     let ref: String
/// }
/// let raw = try PhotoEntry(ref: "ada.png").toRaw()  // {"ref":"ada.png"}
/// ```
public typealias Json = JSON

/// NodeKit's name for a route.
public typealias UrlRouteProvider = URLRouteProvider
#endif
