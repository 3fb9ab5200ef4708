"""A product catalog for gyms and yoga studios, as an MCP server on the SDK.

It runs as it is: the framing, server/discover and tools/list are the SDK's work. What
is missing is the tool: look for "Your turn". Try it with the Python of .venv, one
request a line, and end it with the end of input:

    python server.py
"""

from mcp.server import MCPServer

# The supplier has sent the last row without a price.
CATALOG: list[dict] = [
    {"sku": "mat-01", "name": "Yoga mat, natural rubber", "price_cents": 5900},
    {"sku": "mat-02", "name": "Yoga mat, extra long", "price_cents": 7400},
    {"sku": "blk-01", "name": "Cork block", "price_cents": 1450},
    {"sku": "str-01", "name": "Cotton strap", "price_cents": 990},
    {"sku": "kbl-08", "name": "Kettlebell 8 kg", "price_cents": 3200},
    {"sku": "kbl-16", "name": "Kettlebell 16 kg", "price_cents": 5400},
    {"sku": "rop-01", "name": "Battle rope, 12 m", "price_cents": 8900},
    {"sku": "bls-01", "name": "Bolster, buckwheat", "price_cents": 4300},
    {"sku": "bwl-01", "name": "Singing bowl", "price_cents": "see stock.internal/4711"},
]


def find(query: str) -> list[dict]:
    """The products whose name holds every word of the query; none for no words."""
    print(f"find: {query!a}")  # while a tool runs, the SDK sends this to standard error
    words = query.lower().split()
    return [
        product
        for product in CATALOG
        if words and all(word in product["name"].lower() for word in words)
    ]


server = MCPServer("catalog", version="1.0.0")

# Your turn: the tool search_catalog(query, limit).
#
# 1. It is listed with a description. limit is an integer from 1 to 5, and 3 where none
#    is given; the schema says so.
# 2. Its result is {"products": [{"sku": …, "name": …, "price_cents": …}]}, the first
#    `limit` that `find` gives, and its outputSchema says so.
# 3. A query that finds nothing is a tool error whose text names a query that works. A
#    long query is not repeated whole.
# 4. What the schema forbids is refused: the string "3" is no limit.
# 5. The last row of the catalog breaks your model. Of that, the model that calls the
#    tool learns nothing but that it failed.

if __name__ == "__main__":
    server.run()
