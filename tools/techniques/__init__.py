"""What makes a tool list cost less: pure functions, none edits its input. (lesson 04)

`clean` loses nothing: what validates before validates after. `allow`, `first_sentence`
and `search` give the model less to read, and say so. The cache functions count what a
model API would bill, and `toon` is the counter-example: a notation that saves tokens
on tables, and costs some on schemas.

A tool is the object of a `tools/list` result; a list is never put in another order.
"""

from tools.techniques.caching import Prices as Prices
from tools.techniques.caching import Usage as Usage
from tools.techniques.caching import breakpoint_usage as breakpoint_usage
from tools.techniques.caching import cache_cost as cache_cost
from tools.techniques.caching import prefix_usage as prefix_usage
from tools.techniques.choosing import allow as allow
from tools.techniques.choosing import search as search
from tools.techniques.choosing import search_tool as search_tool
from tools.techniques.cleaning import clean as clean
from tools.techniques.wording import first_sentence as first_sentence
from tools.techniques.wording import toon as toon
