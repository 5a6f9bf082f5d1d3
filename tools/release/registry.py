"""Runs a command with a registry of npm packages that holds what lies in one folder, and nothing else.

    python3 registry.py FOLDER npx --yes oldhand --version

It listens on a port of this machine alone, and ends with the command.
"""

import base64
import hashlib
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import threading
import urllib.parse


def packages(folder):
    """Name and description of each package, as its file says them."""
    found = {}
    for path in sorted(folder.glob("*.tgz")):
        content = path.read_bytes()
        with tarfile.open(path) as archive:
            package = json.load(archive.extractfile("package/package.json"))
        digest = base64.b64encode(hashlib.sha512(content).digest()).decode()
        found[package["name"]] = (path, package, f"sha512-{digest}")
    return found


def handler(known):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = urllib.parse.unquote(self.path).strip("/")
            files = {path.name: path for path, _, _ in known.values()}
            if name in files:
                return self.answer(200, files[name].read_bytes())
            if name not in known:
                return self.answer(404, b'{"error": "not found"}')
            path, package, digest = known[name]
            host = self.headers["Host"]
            dist = {"tarball": f"http://{host}/{path.name}", "integrity": digest}
            version = package["version"]
            body = {"name": name, "dist-tags": {"latest": version}, "versions": {version: {**package, "dist": dist}}}
            self.answer(200, json.dumps(body).encode())

        def answer(self, status, body):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler


def main():
    folder, *command = sys.argv[1:]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler(packages(pathlib.Path(folder))))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # A proxy would not know this machine's own ports.
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "npm_config_noproxy": "127.0.0.1"}
    environment["npm_config_registry"] = f"http://127.0.0.1:{server.server_address[1]}/"
    sys.exit(subprocess.run(command, env=environment).returncode)


if __name__ == "__main__":
    main()
