"""The icon of tickets: 16 by 16 pixels, which the address itself holds. (lesson 06)

A `data:` address needs no network and tells nobody that it was looked at. This one was
made with `png` from the drawing in tests/test_blocks.py.
"""

_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAgMAAABinRfyAAAADFBMVEX///+qyOFQjL4KMlpr/v6eAAAA"
    "W0lEQVR4AQFQAK//AAAAAAAAAAAAAAAAAAAAAD////wAMAAADAAwAAAMADD//wwA8AAADwDAAAAMAPAA"
    "AA8AMP/wDAAwAAAMAD////wAAAAAAAAAAAAAAAAAAAAx1A5WhpKbxwAAAABJRU5ErkJggg=="
)
ICONS = [
    {
        "src": f"data:image/png;base64,{_PNG}",
        "mimeType": "image/png",
        "sizes": ["16x16"],
    }
]
