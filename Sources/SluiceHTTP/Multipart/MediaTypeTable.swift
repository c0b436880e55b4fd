#if HTTP
/// The media types of files by their filename extension: a table of our own with the most common uploads, as registered
/// by IANA.
enum MediaTypeTable {
    /// The media type of any other file.
    static let unknown = "application/octet-stream"

    /// Returns the media type for a filename, case-insensitively.
    static func type(ofName name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    static let types: [String: String] = [
        // Text
        "css": "text/css", "csv": "text/csv", "htm": "text/html", "html": "text/html", "ics": "text/calendar",
        "js": "text/javascript", "md": "text/markdown", "mjs": "text/javascript", "txt": "text/plain",
        "vcf": "text/vcard", "vtt": "text/vtt", "log": "text/plain", "tsv": "text/tab-separated-values",
        // Images
        "avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic", "heif": "image/heif",
        "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "jxl": "image/jxl",
        "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
        // Audio
        "aac": "audio/aac", "flac": "audio/flac", "m4a": "audio/mp4", "mid": "audio/midi", "midi": "audio/midi",
        "mp3": "audio/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
        "weba": "audio/webm",
        // Video
        "avi": "video/vnd.avi", "m4v": "video/mp4", "mkv": "video/matroska", "mov": "video/quicktime",
        "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "ogv": "video/ogg", "webm": "video/webm",
        // Fonts
        "otf": "font/otf", "ttf": "font/ttf", "woff": "font/woff", "woff2": "font/woff2",
        // Documents
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "json": "application/json", "jsonl": "application/jsonl",
        "ndjson": "application/x-ndjson", "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
        "pdf": "application/pdf", "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "rtf": "application/rtf",
        "sqlite": "application/vnd.sqlite3", "toml": "application/toml", "wasm": "application/wasm",
        "xls": "application/vnd.ms-excel", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        // Archives
        "7z": "application/x-7z-compressed", "bz2": "application/x-bzip2", "gz": "application/gzip",
        "tar": "application/x-tar", "tgz": "application/gzip", "xz": "application/x-xz", "zip": "application/zip",
        "zst": "application/zstd",
    ]
}
#endif
