"""A client of the refund desk: three calls, and a person who says yes.

It starts server.py, or takes the address of one that runs over HTTP:
python client.py http://127.0.0.1:8765/mcp
"""

import asyncio
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters
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


async def talk(server):
    async with Client(server, elicitation_callback=say_yes) as client:
        for name, arguments in CALLS:
            result = await client.call_tool(name, arguments)
            word = "error: " if result.is_error else "result:"
            print(word, result.content[0].text)


async def main():
    if len(sys.argv) > 1:
        await talk(sys.argv[1])
    else:
        await talk(StdioServerParameters(command=sys.executable, args=[SERVER]))


asyncio.run(main())
