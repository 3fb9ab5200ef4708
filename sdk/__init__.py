"""The same helpdesk on the official Python SDK. (lesson 05)

Read in this order:

    server.py     typed functions, and the server that offers them as tools
    strict.py     where the SDK is kinder than the specification, and the mends
    database.py   the tickets and policies in one SQLite file
    __main__.py   options, then one transport
"""
