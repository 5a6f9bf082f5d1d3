"""A short session with a team server, through the official Python SDK: a token, and the store in the address.

usage: team.py BINARY team
"""

import asyncio
import socket
import subprocess
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from day import causes
from scene import Wrong, expect, ok, shown


def start(binary):
    """The server with a database of its own; gives its process, its address and a token."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        listen = f"127.0.0.1:{probe.getsockname()[1]}"
    server = subprocess.Popen(
        [binary, "serve", "--dev", "--listen", listen], stdout=subprocess.PIPE, text=True)
    token = None
    for line in server.stdout:
        word, _, rest = line.strip().partition(" ")
        if word == "token":
            token = rest.strip()
        if word == "MCP":
            return server, rest.strip(), token
    raise Wrong("the server ended before it said its address")


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    expect(f"{tool} works", not result.is_error, "an answer", result)
    return result.structured_content


async def session(address, token):
    async with httpx2.AsyncClient(headers={"Authorization": "Bearer oht_wrong"}) as http:
        status = (await http.post(address, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})).status_code
        expect("a wrong token is refused", status == 401, 401, status)
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http:
        async with Client(streamable_http_client(address, http_client=http)) as client:
            recall = next(tool for tool in (await client.list_tools()).tools if tool.name == "recall")
            fields = recall.input_schema["properties"]
            expect("recall names its store and its reach", {"store", "reach"} <= fields.keys(), "both", fields)
            found = await call(client, "recall", query="how do we keep money?")
            first = found["memories"][0]["id"]
            expect("the store is asked", first == "keep-money-in-integer-cents", "cents", found)
            kept = await call(client, "remember", text="The warehouse scanner listens on port 7311", kind="reference")
            expect("it is remembered", kept["action"] == "created", "created", kept)
            found = await call(client, "recall", query="on which port does the warehouse scanner listen?")
            ids = [memory["id"] for memory in found["memories"]]
            expect("and found at once", kept["id"] in ids, kept["id"], shown(found))


def main(binary, _transport):
    server, address, token = start(binary)
    try:
        asyncio.run(session(address, token))
        ok("team")
    finally:
        server.terminate()
        server.wait(timeout=20)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception as error:
        for cause in causes(error):
            print(f"FAILED {cause}" if isinstance(cause, Wrong) else f"FAILED {type(cause).__name__}: {cause}")
        sys.exit(1)
