import HTTPTypes
import Hummingbird
import NIOCore

/// The files of the page: they are part of the program.
enum PageFile {
    private static let files: [String: (type: String, bytes: [UInt8])] = [
        "index.html": ("text/html; charset=utf-8", PackageResources.index_html),
        "page.css": ("text/css; charset=utf-8", PackageResources.page_css),
        "page.js": ("text/javascript; charset=utf-8", PackageResources.page_js),
        "card.js": ("text/javascript; charset=utf-8", PackageResources.card_js),
        "feed.js": ("text/javascript; charset=utf-8", PackageResources.feed_js),
        "tunnel.js": ("text/javascript; charset=utf-8", PackageResources.tunnel_js),
        "value.js": ("text/javascript; charset=utf-8", PackageResources.value_js),
        "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
    ]

    static func response(for name: String) throws -> Response {
        guard let file = files[name] else { throw Problem.noPage(name) }
        return Response(
            status: .ok,
            headers: [.contentType: file.type, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
        )
    }
}
