"""Wrong: the code cuts the list, but the schema tells nobody where."""

import json
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

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

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
QueryWords = Annotated[
    str, Field(description="Words of the product's name, e.g. yoga mat")
]
Limit = Annotated[int, Field(strict=True, description="Products at most")]


class Product(BaseModel):
    sku: str
    name: str
    price_cents: int


class Found(BaseModel):
    products: list[Product]


@server.tool(title="Search the catalog", annotations=READS)
def search_catalog(query: QueryWords, limit: Limit = 3) -> Found:
    """Find products for gyms and yoga studios by words of their name, with sku and
    price in cents. Every word must occur, so one word finds most, for example mat."""
    products = find(query)
    if not products:
        shown = json.dumps(query[:80], ensure_ascii=False)
        right = "Use fewer words of a product's name, for example: mat"
        raise ToolError(f"No product for {shown}. {right}")
    return Found(products=[Product(**each) for each in products[: min(limit, 5)]])


if __name__ == "__main__":
    server.run()
