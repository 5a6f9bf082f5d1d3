"""A Model Context Protocol client on standard streams, and what a process costs.

Knows the protocol and the operating system, no tool in particular."""

import json
import os
import select
import signal
import subprocess
import time


class Gone(Exception):
    """The server ended, or said nothing for too long."""


class Refused(Exception):
    """The server answered with an error; the text is what a model would see."""


def tree(pid):
    """A process and its living descendants."""
    found, waiting = [], [pid]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children") as children:
                    waiting += map(int, children.read().split())
        except OSError:
            pass  # It ended meanwhile.
    return found


def cpu_seconds(pid):
    """CPU time of a living tree, from the clock that the kernel keeps for each process."""
    total = 0.0
    for process in tree(pid):
        try:
            total += time.clock_gettime((~process << 3) | 2)
        except OSError:
            pass
    return total


def peak_mb(pid):
    """The sum of the peaks of resident memory."""
    total = 0
    for process in tree(pid):
        try:
            with open(f"/proc/{process}/status") as status:
                total += sum(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
        except OSError:
            pass
    return total / 1024


def usage(command, env=None, cwd=None, timeout=300):
    """Runs a command to its end: its output, exit code, seconds, and CPU seconds of it and its children."""
    before = time.perf_counter()
    read, write = os.pipe()
    process = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=write,
                               stderr=subprocess.STDOUT)
    os.close(write)
    output, deadline = bytearray(), before + timeout
    with os.fdopen(read, "rb", 0) as pipe:
        while True:
            if not select.select([pipe], [], [], max(0, deadline - time.perf_counter()))[0]:
                process.kill()
                break
            chunk = pipe.read(1 << 16)
            if not chunk:
                break
            output += chunk
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return {"text": output.decode("utf8", "replace"), "code": process.returncode,
            "seconds": time.perf_counter() - before, "cpu": used.ru_utime + used.ru_stime}


class Session:
    """One server process and the conversation with it."""

    def __init__(self, command, env, cwd, log, timeout=120):
        self.timeout, self.last, self.rest, self.log = timeout, 0, b"", log
        with open(log, "ab") as errors:
            self.process = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.PIPE, bufsize=0,
                                            stdout=subprocess.PIPE, stderr=errors, start_new_session=True)
        self.pid = self.process.pid
        try:
            about = {"protocolVersion": "2025-06-18", "capabilities": {},
                     "clientInfo": {"name": "scoreboard", "version": "1"}}
            self.server = self.ask("initialize", about)
            self.send({"method": "notifications/initialized"})
        except Exception:
            self.kill()
            raise

    def tools(self):
        tools, cursor = [], None
        while True:
            page = self.ask("tools/list", {"cursor": cursor} if cursor else {})
            tools += page["tools"]
            cursor = page.get("nextCursor")
            if not cursor:
                return tools

    def call(self, tool, **arguments):
        """The text of an answer, as a model sees it."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part["text"] for part in answer.get("content", []) if part.get("type") == "text")
        if answer.get("isError"):
            raise Refused(text)
        return text

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        deadline = time.monotonic() + self.timeout
        while True:
            message = self.receive(deadline)
            if "method" in message:
                if "id" in message:
                    self.send({"id": message["id"], "result": {"roots": []}})
            elif message.get("id") == self.last:
                if "error" in message:
                    raise Refused(json.dumps(message["error"]))
                return message["result"]

    def send(self, message):
        data = memoryview((json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
        try:
            while data:
                data = data[os.write(self.process.stdin.fileno(), data):]
        except OSError as error:
            raise Gone(str(error)) from error

    def receive(self, deadline):
        while True:
            line, found, rest = self.rest.partition(b"\n")
            if found:
                self.rest = rest
                try:
                    message = json.loads(line)
                except ValueError:
                    continue  # Some print a greeting to standard output.
                if isinstance(message, dict):
                    return message
                continue
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Gone("no answer in time")
            chunk = os.read(self.process.stdout.fileno(), 1 << 20)
            if not chunk:
                raise Gone(f"the server ended; its last words: {self.last_words()}")
            self.rest += chunk

    def last_words(self):
        with open(self.log, errors="replace") as log:
            return ([line.strip() for line in log if line.strip()] or ["none"])[-1][:200]

    def kill(self):
        """SIGKILL for the server and what it started, and for nothing else."""
        for pid in reversed(tree(self.pid)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.reap()

    def close(self):
        """Ends the server the usual way: its input ends. Returns its CPU seconds, children included."""
        self.process.stdin.close()
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            if self.process.returncode is not None:
                return 0.0
            pid, status, used = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.process.returncode = os.waitstatus_to_exitcode(status)
                self.process.stdout.close()
                return used.ru_utime + used.ru_stime
            time.sleep(0.002)
        used = cpu_seconds(self.pid)
        self.kill()
        return used

    def reap(self):
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.returncode is None:
            self.close()
