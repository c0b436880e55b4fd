public import SluiceHTTP
public import SluiceJSON

/// The raw form of models under NodeKit's name. It is a Sendable value, not `[String: Any]`.
///
/// ```swift
/// struct PhotoEntry: Codable, RawMappable {
///     typealias Raw = Json
///     let ref: String
/// }
/// let raw = try PhotoEntry(ref: "ada.png").toRaw()  // {"ref":"ada.png"}
/// ```
public typealias Json = JSON

/// A route under NodeKit's name.
public typealias UrlRouteProvider = URLRouteProvider
