"""Models: what a host can ask for an answer or a call. (lesson 03)

A model has one method, `reply(messages, tools)`. It gives {"text": …}, or
{"calls": [{"name": …, "arguments": {…}}, …]}.
"""
