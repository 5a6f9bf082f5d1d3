"""A client of the Model Context Protocol on standard streams, and what a process costs. Knows no tool in particular."""

import json
import os
import resource
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
        found.append(waiting.pop())
        try:
            for task in os.listdir(f"/proc/{found[-1]}/task"):
                with open(f"/proc/{found[-1]}/task/{task}/children") as children:
                    waiting += map(int, children.read().split())
        except OSError:
            pass  # It ended meanwhile.
    return found


def cpu_of(pid):
    """CPU seconds of a living tree, from the clock that the kernel keeps for each process, and of its ended children."""
    total = 0
    for process in tree(pid):
        with open(f"/proc/{process}/stat") as stat:
            ended = stat.read().rsplit(")", 1)[1].split()[13:15]
        total += time.clock_gettime((~process << 3) | 2) + sum(map(int, ended)) / os.sysconf("SC_CLK_TCK")
    return total


def cpu_of_ended():
    """CPU seconds of every child that has ended, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_mb(pid):
    """The sum of the peaks of resident memory of a tree."""
    total = 0
    for process in tree(pid):
        with open(f"/proc/{process}/status") as status:
            total += sum(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    return total / 1024


class Session:
    """One server process and the conversation with it."""

    def __init__(self, command, env, cwd, log, timeout=120):
        self.timeout, self.last, self.rest, self.log = timeout, 0, b"", log
        with open(log, "ab") as errors:
            self.process = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.PIPE, bufsize=0,
                                            stdout=subprocess.PIPE, stderr=errors, start_new_session=True)
        self.pid = self.process.pid
        try:
            self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "scoreboard", "version": "1"}})
            self.send({"method": "notifications/initialized"})
        except Exception:
            self.kill()
            raise

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
                with open(self.log, errors="replace") as log:
                    said = [line.strip() for line in log if line.strip()]
                raise Gone(f"the server ended; its last words: {(said or ['none'])[-1][:200]}")
            self.rest += chunk

    def kill(self):
        """SIGKILL for the server and what it started, and for nothing else."""
        for pid in reversed(tree(self.pid)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends the server the usual way: its input ends."""
        self.process.stdin.close()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process.stdout.close()
