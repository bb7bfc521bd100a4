"""The client of the PyPI package `mcp`.

`pypi.py EXAMPLE ERA REVISION http URL` or `pypi.py EXAMPLE ERA REVISION stdio COMMAND [ARGUMENT...]`: EXAMPLE is
`quickstart` or `booking`, ERA is the client's `mode` (`legacy`, `auto`, or a revision to adopt without asking),
REVISION is what must come out of it.
"""

import asyncio
import os
import sys
import traceback

from mcp import Client, StdioServerParameters

from booking import Passenger, check_booking
from expect import expect, texts

LIMIT_SECONDS = 90
CODE = "fn main() {}"


async def check_lists(client):
    """Compares the three lists with what the example declares."""
    tools = (await client.list_tools()).tools
    expect("tools", [tool.name for tool in tools], ["add"])
    schema = tools[0].input_schema
    expect("description of add", tools[0].description, "Adds two numbers.")
    expect("parameters of add", list(schema["properties"]), ["a", "b"])
    expect("types of add", [schema["properties"][name]["type"] for name in "ab"], ["integer", "integer"])
    expect("required parameters of add", schema["required"], ["a", "b"])

    templates = (await client.list_resource_templates()).resource_templates
    expect("resource templates", [template.uri_template for template in templates], ["greeting://{name}"])

    prompts = (await client.list_prompts()).prompts
    expect("prompts", [prompt.name for prompt in prompts], ["review"])
    arguments = [(argument.name, argument.required) for argument in prompts[0].arguments]
    expect("arguments of review", arguments, [("code", True)])


async def check_calls(client):
    """Calls, reads and gets, comparing each value."""
    result = await client.call_tool("add", {"a": 2, "b": 3})
    expect("add failed", bool(result.is_error), False)
    expect("result of add", texts(result.content), ["5"])

    contents = (await client.read_resource("greeting://Ada")).contents
    seen = [(str(content.uri), content.mime_type, content.text) for content in contents]
    expect("contents of greeting://Ada", seen, [("greeting://Ada", "text/plain", "Hello, Ada!")])

    messages = (await client.get_prompt("review", {"code": CODE})).messages
    expect("roles of review", [message.role for message in messages], ["user"])
    expect("text of review", texts([message.content for message in messages]), [f"Review this code:\n{CODE}"])


async def check(example, era, revision, transport, target, args):
    """Connects, runs every check, and gives the negotiated revision."""
    server = target if transport == "http" else StdioServerParameters(command=target, args=args, env=dict(os.environ))
    passenger = Passenger() if example == "booking" else None
    async with Client(server, mode=era, elicitation_callback=passenger and passenger.answer) as client:
        expect("negotiated revision", client.protocol_version, revision)
        if passenger:
            await check_booking(client, passenger)
        else:
            await check_lists(client)
            await check_calls(client)
        return client.protocol_version


def causes(error):
    """The exceptions that the client's task groups have wrapped up."""
    if isinstance(error, BaseExceptionGroup):
        return [cause for inner in error.exceptions for cause in causes(inner)]
    return [error]


def main():
    """Returns the process's exit status."""
    words = sys.argv[1:]
    if len(words) < 5 or words[0] not in ("quickstart", "booking") or words[3] not in ("http", "stdio"):
        print(__doc__, file=sys.stderr)
        return 2
    example, era, revision, transport, target, *args = words
    try:
        run = check(example, era, revision, transport, target, args)
        negotiated = asyncio.run(asyncio.wait_for(run, LIMIT_SECONDS))
    except Exception as error:
        for cause in causes(error):
            print(f"failed: {''.join(traceback.format_exception(cause))}", file=sys.stderr)
        return 1
    print(f"negotiated {negotiated}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
