import SluiceJSON

extension SinkKind {
    /// `lines`: appends outputs to a file.
    static let lines = SinkKind(
        "lines",
        [
            .text("path").meaning("the path of the file, within the folder that the host allows"),
            .expression("line", isRequired: false).standard("x")
                .meaning("the line: a text is written as it is, any other value as JSON"),
            .count("rotate", least: 1024, isRequired: false)
                .meaning("the size in bytes at which the file is renamed to `PATH.1` and a new one begins"),
        ],
        implied: ["line": "x"],
        summary: "Appends each output to a file as a line.",
        documentation: """
            The file is in the folder that the host allows (`--files`), and is created if it does not exist. A line is on
            the disk when the output counts as delivered. After a kill the last line may be there twice. A line feed
            within a text is written as a space. Of the rotated files the newest, `PATH.1`, is kept.

            ```json
            {"id": "log", "lines": {"path": "alerts.log", "line": "'price is ' + string(x)", "rotate": 1048576}}
            ```
            """
    )
}
