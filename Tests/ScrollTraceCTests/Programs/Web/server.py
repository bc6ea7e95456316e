"""Serves the page to a browser, and keeps what it posts: server.py SCRIPT TRACE LOG BROWSER...

The second piece is refused once, and one is accepted without an answer that arrives.
"""
import http.server
import os
import signal
import subprocess
import sys
import tempfile
import threading
from urllib.parse import parse_qs, urlparse

script, trace, log, *browser = sys.argv[1:]
page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.html")
pieces = {}
refused = set()
done = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = {"/": page, "/scrolltrace.js": script}.get(self.path)
        if path is None:
            self.send_error(404)
            return
        kind = "text/javascript" if path == script else "text/html"
        with open(path, "rb") as file:
            self.answer(file.read(), kind)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/done":
            with open(log, "wb") as file:
                file.write(body)
            self.answer(b"", "text/plain")
            done.set()
            return
        query = parse_qs(urlparse(self.path).query)
        number = int(query["piece"][0])
        if number == 1 and number not in refused:
            refused.add(number)
            self.send_error(503)
            return
        pieces.setdefault(number, body)
        if number == 2 and number not in refused:
            refused.add(number)
            self.close_connection = True  # accepted, but the page does not learn of it
            return
        self.answer(b"", "text/plain")

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
# The profile stays in the folder of the log, which its owner deletes: a browser's other processes write
# to it until they are gone too.
profile = tempfile.mkdtemp(dir=os.path.dirname(log))
process = subprocess.Popen(
    browser + [f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/"],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
isDone = done.wait(60)
process.terminate()
process.wait()
try:
    os.killpg(process.pid, signal.SIGKILL)
except ProcessLookupError:
    pass
with open(trace, "wb") as file:
    for number in sorted(pieces):
        file.write(pieces[number])
sys.exit(0 if isDone else 1)
