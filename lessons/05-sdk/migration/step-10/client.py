"""A client of the refund desk: three calls, and a person who says yes.

It starts server.py, or takes the address of one that runs over HTTP:
python client.py http://127.0.0.1:8765/mcp
"""

import asyncio
import sys
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult

SERVER = str(Path(__file__).with_name("server.py"))
CALLS = [
    ("open_ticket", {"ticket_id": "9999"}),
    ("open_ticket", {"ticket_id": "2318"}),
    ("refund", {"ticket_id": "2318", "dollars": 49}),
]


async def say_yes(context, params):
    print(f"asked:  {params.message}")
    return ElicitResult(action="accept", content={"sure": True})


async def show(params):
    print(f"log:    {params.data}")


async def talk(read, write):
    async with ClientSession(
        read,
        write,
        elicitation_callback=say_yes,
        logging_callback=show,
    ) as session:
        await session.initialize()
        for name, arguments in CALLS:
            result = await session.call_tool(name, arguments)
            word = "error: " if result.is_error else "result:"
            print(word, result.content[0].text)


async def main():
    if len(sys.argv) > 1:
        async with streamable_http_client(sys.argv[1]) as (read, write, _):
            await talk(read, write)
    else:
        server = StdioServerParameters(command=sys.executable, args=[SERVER])
        async with stdio_client(server) as (read, write):
            await talk(read, write)


asyncio.run(main())
