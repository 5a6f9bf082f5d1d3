"""A day of an agent, through the official Python SDK and nothing else.

usage: day.py BINARY stdio|http [VERSION …]
"""

import asyncio
import json
import sys

import httpx2
import mcp.client.session as handshake
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation, PromptReference, ResourceTemplateReference

from scene import CLIENT, SEEDED, Scene, Wrong, expect, ok, shown

TOOLS = ["recall", "remember", "check", "feedback", "resume", "review"]
VERSIONS = ["2024-11-05", "2025-11-25", "2026-07-28"]
STATELESS = "2026-07-28"
DECIDED = "use-postgresql-for-storage"
ODD = "Line one\nline two, a quote \" and a separator \u2028, größer als 数据库 🐘"


def text_of(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


def ids_of(answer):
    return [memory["id"] for memory in answer["memories"]]


class Day:
    def __init__(self, client, scene, version):
        self.client, self.scene, self.version = client, scene, version
        self.is_structured = version >= "2025-06-18"

    async def call(self, tool, **arguments):
        """A call that has to work; the SDK holds the answer against the output schema."""
        result = await self.client.call_tool(tool, arguments)
        if result.is_error or not text_of(result):
            raise Wrong(f"{tool} {arguments}\n  expected: an answer with a text\n  came:     {shown(result)}")
        if self.is_structured != (result.structured_content is not None):
            wanted = "structuredContent" if self.is_structured else "no structuredContent"
            raise Wrong(f"{tool}\n  expected: {wanted}\n  came:     {shown(result)}")
        return result.structured_content, text_of(result)

    async def fails(self, what, tool, arguments, *words):
        """A call that has to come back as the tool's own mistake, in these words."""
        result = await self.client.call_tool(tool, arguments)
        said = text_of(result)
        holds = result.is_error and all(word.lower() in said.lower() for word in words)
        expect(what, holds, f"isError with {', '.join(words)}", result)
        return result.structured_content

    async def refused(self, what, request, *codes):
        """A request that the protocol itself refuses."""
        try:
            came = await request
        except MCPError as error:
            expect(what, error.error.code in codes, f"error {codes}", error.error)
            return
        raise Wrong(f"{what}\n  expected: error {codes}\n  came:     {shown(came)}")

    async def whole(self):
        await self.greet()
        await self.list_tools()
        await self.remember()
        await self.recall()
        await self.page_index()
        await self.check()
        await self.clash()
        await self.judge()
        await self.resources()
        await self.prompts()
        await self.mistakes()
        await self.crowd()
        await self.give_up()

    async def greet(self):
        client = self.client
        expect("version", client.protocol_version == self.version, self.version, client.protocol_version)
        info = client.server_info
        expect("the server's name", info and info.name == "oldhand", "oldhand", info)
        expect("instructions", "resume" in (client.instructions or ""), "a word about resume", client.instructions)
        offered = client.server_capabilities
        has_all = offered.tools and offered.resources and offered.prompts and offered.completions
        expect("capabilities", has_all, "tools, resources, prompts, completions", offered)

    async def list_tools(self):
        tools = (await self.client.list_tools()).tools
        names = [tool.name for tool in tools]
        expect("six tools in their order", names == TOOLS, TOOLS, names)
        for tool in tools:
            has_output = tool.output_schema is not None
            if has_output != self.is_structured or tool.annotations is None or not tool.description:
                raise Wrong(f"{tool.name}\n  expected: description, annotations, "
                            f"output schema {self.is_structured}\n  came:     {shown(tool)}")
        ok("every tool has its schemas and annotations")
        reading = [tool.name for tool in tools if tool.annotations.read_only_hint]
        expect("the tools that only read", reading == ["recall", "check", "resume"], "three", reading)

    async def remember(self):
        answer, text = await self.call("resume")
        expect("resume", not answer or answer["text"], "a text", text)
        answer, text = await self.call(
            "remember", kind="decision", title="Use PostgreSQL for storage",
            text="Use PostgreSQL for storage, because we need transactions.",
        )
        expect("remember a decision in words", DECIDED in text and
               (not answer or (answer["action"], answer["id"]) == ("created", DECIDED)), DECIDED, answer or text)
        answer, text = await self.call(
            "remember", kind="decision", title="Count money in cents",
            content={"decision": "Amounts are integers, in cents", "rationale": ["Floats lose cents"]},
        )
        expect("remember a decision by its fields", "count-money-in-cents" in text and
               (not answer or answer["action"] == "created"), "count-money-in-cents", answer or text)
        answer, text = await self.call("remember", kind="reference", title="Odd letters", text=ODD)
        expect("remember odd letters", "odd-letters" in text, "odd-letters", text)

    async def recall(self):
        answer, text = await self.call("recall", query="which database do we use for storage")
        found = ids_of(answer) if answer else text
        expect("recall by a question", DECIDED in found and "transactions" in text, DECIDED, (found, text))
        answer, text = await self.call("recall", ids=[DECIDED, "odd-letters"])
        found = ids_of(answer) if answer else [DECIDED, "odd-letters"]
        expect("recall by ids", found == [DECIDED, "odd-letters"], "both, in order", found)
        expect("odd letters come back", "größer als 数据库 🐘" in text, ODD, text)

    async def page_index(self):
        if not self.is_structured:
            _, text = await self.call("recall", level="index")
            expect("the index", "seeded-fact-" in text, "ids", text)
            return
        seen, cursor, pages = [], None, 0
        while pages < 100:
            onward = {"cursor": cursor} if cursor else {}
            answer, _ = await self.call("recall", level="index", budget=500, **onward)
            seen += ids_of(answer)
            cursor, pages = answer.get("next"), pages + 1
            if cursor is None:
                break
        holds = pages > 1 and len(seen) == len(set(seen)) == SEEDED + 3
        expect(f"the index in {pages} pages", holds, f"{SEEDED + 3} ids, each once, in pages", len(seen))

    async def check(self):
        answer, text = await self.call("check", proposal="Write the release notes in French")
        expect("check what is clear", not answer or answer["verdict"] == "clear", "clear", answer or text)
        answer, text = await self.call("check", proposal="Use MySQL")
        holds = DECIDED in text and (not answer or answer["verdict"] == "conflict")
        expect("check what clashes", holds, f"a conflict with {DECIDED}", answer or text)
        if answer:
            ids = [conflict["id"] for conflict in answer["conflicts"]]
            expect("the conflict names the decision", ids == [DECIDED], [DECIDED], ids)

    async def clash(self):
        arguments = {"kind": "decision", "title": "Use MySQL for storage", "text": "Use MySQL for storage."}
        said = await self.fails("a clash is stopped", "remember", arguments, "conflict", DECIDED)
        if self.is_structured:
            expect("the clash as data", said and said["code"] == "CONFLICT", "code CONFLICT", said)
        answer, text = await self.call("review")
        expect("the clash waits for a person", "use-mysql-for-storage" in text, "use-mysql-for-storage", text)
        if answer:
            expect("one waits", len(answer["waiting"]) == 1, "one", answer)

    async def judge(self):
        answer, _ = await self.call("recall", ids=[DECIDED])
        before = answer["memories"][0]["trust"] if answer else None
        answer, text = await self.call("feedback", id=DECIDED, effect="positive", note="it held", task="T-1")
        if not answer:
            expect("feedback", DECIDED in text, DECIDED, text)
            return
        rises = isinstance(before, float | int) and answer["trust"] > before
        expect("trust rises with feedback", answer["id"] == DECIDED and rises, f"more than {before}", answer)

    async def resources(self):
        client, seen, cursor, pages = self.client, [], None, 0
        while pages < 100:
            page = await client.list_resources(cursor=cursor)
            seen += [str(resource.uri) for resource in page.resources]
            cursor, pages = page.next_cursor, pages + 1
            if cursor is None:
                break
        memories = {uri for uri in seen if uri.startswith("oldhand://memory/")}
        holds = pages > 1 and len(seen) == len(set(seen)) and len(memories) == SEEDED + 3
        expect(f"resources in {pages} pages", holds, f"{SEEDED + 3} memories, each once", (len(seen), len(memories)))
        for uri in [f"oldhand://memory/{DECIDED}"] + [uri for uri in seen if uri not in memories]:
            document = (await client.read_resource(uri)).contents[0]
            expect(f"read {uri}", str(document.uri) == uri and document.text and document.mime_type, uri, document)
        templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
        expect("templates", "oldhand://memory/{id}" in templates, "oldhand://memory/{id}", templates)
        reference = ResourceTemplateReference(uri="oldhand://memory/{id}")
        values = (await client.complete(reference, {"name": "id", "value": "use-p"})).completion.values
        expect("completion of an id", values == [DECIDED], [DECIDED], values)
        # Older clients know the first code, newer ones the second.
        code = -32602 if self.version >= STATELESS else -32002
        await self.refused("an unknown resource", client.read_resource("oldhand://memory/nothing-at-all"), code)
        await self.refused("an unknown cursor", client.list_resources(cursor="no-cursor-of-ours"), -32602)

    async def prompts(self):
        names = [prompt.name for prompt in (await self.client.list_prompts()).prompts]
        expect("three prompts", names == ["resume", "compact", "review"], "three", names)
        # What has to stand in the text, beside a text at all.
        given = {"resume": ({"task": "Move the storage"}, "Move the storage"),
                 "compact": ({"focus": "the storage"}, "the storage"), "review": ({}, "MySQL")}
        for name, (arguments, word) in given.items():
            messages = (await self.client.get_prompt(name, arguments)).messages
            holds = messages and messages[0].role == "user" and word in messages[0].content.text
            expect(f"prompt {name}", holds, f"a text of the user with {word}", messages)
        await self.refused("an unknown prompt", self.client.get_prompt("nothing"), -32602)
        done = await self.client.complete(PromptReference(name="resume"), {"name": "task", "value": "x"})
        expect("completion of a prompt's argument", done.completion.values == [], "nothing", done)

    async def mistakes(self):
        await self.refused("an unknown tool", self.client.call_tool("nothing", {}), -32602)
        await self.fails("a missing argument", "check", {}, "proposal")
        await self.fails("a wrong choice", "feedback", {"id": DECIDED, "effect": "great"}, "effect", "positive")
        await self.fails("a wrong type", "recall", {"query": "storage", "budget": "lots"}, "budget")
        await self.fails("an unknown argument", "recall", {"question": "storage"}, "question")
        unknown = {"id": "nothing-at-all", "effect": "positive", "task": "T-1"}
        await self.fails("an unknown memory", "feedback", unknown, "nothing-at-all")

    async def crowd(self):
        """Answers find the ones who asked, also when many ask at once."""
        ids = [f"seeded-fact-{number}" for number in range(20)]
        answers = await asyncio.gather(*(self.call("recall", ids=[one]) for one in ids))
        holds = all(f"colour {number}." in text for number, (_, text) in enumerate(answers))
        expect("twenty calls at once", holds, "each its own memory", [text for _, text in answers])

    async def give_up(self):
        """One who no longer waits, or who wants to follow, disturbs nobody."""
        given_up = asyncio.create_task(self.client.call_tool("recall", {"query": "the colour of part 7"}))
        await asyncio.sleep(0.002)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        heard = []

        async def follow(progress, total, message):
            heard.append((progress, total, message))

        result = await self.client.call_tool("recall", {"query": "which database"}, progress_callback=follow)
        expect("after a call that was given up", DECIDED in text_of(result), DECIDED, (result, heard))


def look_behind(scene):
    """What the day left in the store, seen from the command line."""
    me = f"mcp:{CLIENT}"
    for id in [DECIDED, "count-money-in-cents"]:
        events = json.loads(scene.cli("history", id, "--json"))["events"]
        names = {event["by"] for event in events}
        expect(f"history of {id} names the client", names == {me}, me, names)
    waiting = json.loads(scene.cli("pending", "--json"))["pending"]
    names = [one["by"] for one in waiting]
    expect("what waits names the client", names == [me], me, names)
    kept = (scene.folder / ".oldhand/reference/odd-letters.md").read_text(encoding="utf-8")
    expect("the file has every letter", ODD in kept, ODD, kept)
    scene.cli("doctor")
    ok("the store is sound")


async def play(scene, server, version):
    # The SDK always offers its newest handshake; an older client is one that offers less.
    handshake.LATEST_HANDSHAKE_VERSION = version
    # `auto` asks with `server/discover`, as a client that knows nothing of the server does.
    mode = "auto" if version >= STATELESS else "legacy"
    me = Implementation(name=CLIENT, version="1.0")
    async with Client(server, mode=mode, client_info=me, read_timeout_seconds=30) as client:
        await Day(client, scene, version).whole()


async def play_http(scene, version):
    address, token = scene.serve()
    for name, headers in [("no token", {}), ("a wrong token", {"Authorization": "Bearer wrong"})]:
        async with httpx2.AsyncClient(headers=headers) as http:
            status = (await http.post(address, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})).status_code
            expect(f"{name} is refused", status == 401, 401, status)
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http:
        await play(scene, streamable_http_client(address, http_client=http), version)


def main(binary, transport, *versions):
    for version in versions or VERSIONS:
        print(f"== python, {transport}, {version}", flush=True)
        with Scene(binary) as scene:
            if transport == "http":
                asyncio.run(play_http(scene, version))
            else:
                server = StdioServerParameters(
                    command=scene.binary, args=["mcp"], env=scene.environment, cwd=scene.folder)
                asyncio.run(play(scene, server, version))
            look_behind(scene)


def causes(error):
    """The mistakes themselves: task groups wrap them."""
    inner = getattr(error, "exceptions", None)
    return [cause for one in inner for cause in causes(one)] if inner else [error]


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[2] not in ("stdio", "http"):
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except Exception as error:
        for cause in causes(error):
            print(f"FAILED {cause}" if isinstance(cause, Wrong) else f"FAILED {type(cause).__name__}: {cause}")
        sys.exit(1)
