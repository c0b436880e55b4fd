"""An HTTP server for the tests of hubs, whose answers a test decides."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server:
    """An HTTP server on one port that can be killed and started again.

    `answer` takes the path, the fields, and the bytes of a request, and returns the status, the value of the body (`None` for
    none), and, if it likes, further fields. A request that was cut off, since its sender was killed, is not answered. The
    fields know the port of the sender (`fields.sender`).
    """

    def __init__(self, answer):
        self.port, self.answer = 0, answer
        self.start()

    def start(self):
        answer = self.answer

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                length = int(self.headers.get("Content-Length", 0))
                body = self.rfile.read(length)
                if len(body) < length:
                    self.close_connection = True
                    return
                self.headers.sender = self.client_address[1]
                status, value, *fields = answer(self.path, self.headers, body)
                data = b"" if value is None else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, text in (fields[0] if fields else {}).items():
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET

            def log_message(self, *arguments):
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *arguments):
                pass  # The kills break connections.

        self.server = Quiet(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def kill(self):
        self.server.shutdown()
        self.server.server_close()
