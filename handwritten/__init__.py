"""A helpdesk server for the Model Context Protocol, by hand. (lesson 01)

Nothing but the standard library, and nothing hidden. Read in this order:

    protocol.py   the protocol's words: names, codes, the error
    text.py       what a peer wrote, made fit to show
    wire.py       bytes and messages
    server.py     one line in, the messages that answer it out
    stdio.py      the pipe around it
    __main__.py   which server this is

Messages are plain dicts with the names of the wire, so those stay camelCase.
"""
