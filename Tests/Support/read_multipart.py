"""Reads a multipart body with a parser that is not ours, for the tests of MultipartForm.

    read_multipart.py PARSER CONTENT-TYPE BODY FOLDER

PARSER is python_multipart or werkzeug. The body is read in pieces of odd lengths. The bytes of part N go to FOLDER/N;
standard output gets one JSON object a part: its name, filename and content type, or null.
"""

import json
import sys


def python_multipart(content_type, pieces, parts):
    from python_multipart.multipart import MultipartParser, parse_options_header

    boundary = parse_options_header(content_type)[1][b"boundary"]
    state = {}

    def text(value):
        return None if value is None else value.decode("utf-8")

    def part_begin():
        state.update(field=b"", value=b"", headers={}, data=bytearray())

    def header_field(data, start, end):
        state["field"] += data[start:end]

    def header_value(data, start, end):
        state["value"] += data[start:end]

    def header_end():
        state["headers"][state["field"].lower()] = state["value"]
        state.update(field=b"", value=b"")

    def part_data(data, start, end):
        state["data"] += data[start:end]

    def part_end():
        disposition, options = parse_options_header(state["headers"][b"content-disposition"])
        assert disposition == b"form-data", disposition
        parts.append(
            (
                text(options[b"name"]),
                text(options.get(b"filename")),
                text(state["headers"].get(b"content-type")),
                bytes(state["data"]),
            )
        )

    def end():
        state["ended"] = True

    parser = MultipartParser(
        boundary,
        {
            "on_part_begin": part_begin,
            "on_header_field": header_field,
            "on_header_value": header_value,
            "on_header_end": header_end,
            "on_part_data": part_data,
            "on_part_end": part_end,
            "on_end": end,
        },
    )
    for piece in pieces:
        assert parser.write(piece) == len(piece)
    parser.finalize()
    assert state.get("ended"), "the last boundary is missing"


def werkzeug(content_type, pieces, parts):
    from werkzeug.http import parse_options_header
    from werkzeug.sansio.multipart import NEED_DATA, Data, Epilogue, Field, File, MultipartDecoder

    decoder = MultipartDecoder(parse_options_header(content_type)[1]["boundary"].encode())
    pieces = iter(pieces)
    while True:
        event = decoder.next_event()
        if event is NEED_DATA:
            decoder.receive_data(next(pieces, None))
        elif isinstance(event, (Field, File)):
            filename = event.filename if isinstance(event, File) else None
            head = (event.name, filename, event.headers.get("content-type"))
            data = bytearray()
        elif isinstance(event, Data):
            data += event.data
            if not event.more_data:
                parts.append((*head, bytes(data)))
        elif isinstance(event, Epilogue):
            assert event.data == b"", event.data
            return


def pieces(path):
    length = 1
    with open(path, "rb") as file:
        while piece := file.read(length):
            yield piece
            length = length * 3 + 1 if length < 100_000 else 65_537


def main():
    parser, content_type, body, folder = sys.argv[1:]
    parts = []
    {"python_multipart": python_multipart, "werkzeug": werkzeug}[parser](content_type, pieces(body), parts)
    for number, (name, filename, part_type, data) in enumerate(parts):
        with open(f"{folder}/{number}", "wb") as file:
            file.write(data)
        print(json.dumps({"name": name, "filename": filename, "type": part_type}))


main()
