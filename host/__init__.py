"""The application around a model: it holds the conversation and the keys. (lesson 03)

__main__.py   options, then one conversation
app.py        the loop: list, give, ask, check, call, return, repeat
decide.py     what the host does with a call that the model proposes
client.py     one server as a child process
models/       what answers: a mock model, and later others
show.py       what a person sees
"""
