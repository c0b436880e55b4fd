"""A receiver of deliveries, whose answers a check decides."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    def __init__(self):
        self.status = 204
        self.answer = ""
        self.requests = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.do_POST()

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                receiver.requests.append((self.path, dict(self.headers), body))
                answer = receiver.answer.encode() if receiver.status != 204 else b""
                self.send_response(receiver.status)
                if receiver.status != 204:
                    self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.port}{path}"

    def fails(self, status, answer=""):
        self.status, self.answer = status, answer

    def works(self):
        self.status, self.answer = 204, ""

    def close(self):
        self.server.shutdown()
        self.server.server_close()
