"""Asking first, over the wire: questions, their state, progress and cancelling.

The ledger is looked at as any client can: a call for a charge that was refunded gives
that refund and asks nobody, and a call for one that was not asks. What a state looks
like inside is the server's business, and no wording is compared. Each test begins with
an empty ledger, in a folder that HELPDESK_DATA names.
"""

import itertools
import json
import re

import pytest
from lessons.manifest import META
from lessons.wire import Wire, expect, expect_error, expect_result

ASKING = "basic/patterns/mrtr"
ELICITATION = "client/elicitation"
CANCELLATION = "basic/patterns/cancellation"
PROGRESS = "basic/patterns/progress"
TOOLS = "server/tools"
STDIO = "basic/transports/stdio"
INVALID_PARAMS, MISSING_CAPABILITY = -32602, -32021
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
FIRST = {"ticket_id": "2318", "charge_id": "ch_204837", "amount_cents": 4900}
SECOND = {**FIRST, "charge_id": "ch_204811"}
CLOSED = {"ticket_id": "2370", "charge_id": "ch_206288", "amount_cents": 1200}
ACCOUNT = {"customer_id": "cus_1310"}
YES = {"action": "accept", "content": {"reason": "duplicate", "notify": True}}
PRIMITIVE = {"string", "number", "integer", "boolean", "array"}


def able(*modes: str) -> dict:
    """`_meta` of a client that shows a person these kinds of question."""
    kinds: dict = {"elicitation": {mode: {} for mode in modes}}
    return {**META, CAPABILITIES: kinds if modes else {}}


def call(server: Wire, name="issue_refund", arguments=FIRST, meta=None, **more) -> dict:
    """The response to a call; `more` are members that only a retry has."""
    params = {"name": name, "arguments": arguments, **more}
    return server.request("tools/call", params, meta=meta or able("form", "url"))


def question(server: Wire, response: dict) -> dict:
    """The result of a call that asks; a failure where it does not."""
    result = expect_result(server, response, ASKING)
    asks = result.get("resultType") == "input_required"
    expect(server, asks, 'resultType "input_required"', ASKING)
    return result


def ask(server: Wire, **how) -> str:
    """The state of a question that was just asked."""
    result = question(server, call(server, **how))
    rule = f"this server needs a state to know its question again ({ASKING})"
    good = isinstance(result.get("requestState"), str)
    expect(server, good, "a requestState, a string", rule)
    return result["requestState"]


def reply(server: Wire, state: object, answer=YES, **how) -> dict:
    """The response to the retry with this state and this answer of a person."""
    responses = {key_of(how.get("name")): answer}
    return call(server, requestState=state, inputResponses=responses, **how)


def key_of(name: str | None) -> str:
    return "account" if name == "set_payout_account" else "confirm"


def refund(server: Wire, response: dict, rule=ASKING) -> dict:
    """The refund that the response tells of; a failure where it does not."""
    data = outcome(server, response, rule)
    good = data.get("status") == "issued" and isinstance(data.get("refund_id"), str)
    expect(server, good, "a refund: status issued, and its refund_id", rule)
    return data


def outcome(server: Wire, response: dict, rule=ASKING) -> dict:
    """structuredContent of a finished call that went well."""
    result = expect_result(server, response, rule)
    done = result.get("resultType") == "complete" and not result.get("isError")
    expect(server, done, "a complete result without isError", rule)
    return result["structuredContent"]


def expect_tool_error(server: Wire, response: dict, rule: str) -> str:
    """The response is a result with isError; gives its text."""
    result = expect_result(server, response, rule)
    good = result.get("isError") is True and "requestState" not in result
    expect(server, good, "a result with isError, and no question", rule)
    texts = [each.get("text", "") for each in result["content"]]
    return " ".join(texts)


def expect_nothing_refunded(server: Wire, charge=FIRST, rule=ASKING) -> None:
    """A call for this charge asks, so it was not refunded."""
    sent, came = server.sent, server.came
    result = expect_result(server, call(server, arguments=charge), rule)
    if result.get("resultType") != "input_required":
        server.sent, server.came = sent, came
        raise server.failure(f"no refund, and now there is one: {result}", rule)


def expect_refused(server: Wire, response: dict, rule: str) -> None:
    expect_error(server, response, INVALID_PARAMS, rule)
    expect_nothing_refunded(server, rule=rule)


# What a question is


def test_the_tools_say_what_they_do(server):
    result = expect_result(server, server.request("tools/list"), TOOLS)
    tools = {each["name"]: each for each in result["tools"]}
    names = {"issue_refund", "set_payout_account", "export_tickets"}
    expect(server, names <= set(tools), f"the tools {', '.join(sorted(names))}", TOOLS)
    hints = tools["issue_refund"].get("annotations", {})
    # idempotentHint: a second call for the same charge refunds nothing more.
    good = hints.get("destructiveHint", True) and hints.get("idempotentHint")
    good = good and not hints.get("readOnlyHint")
    rule = f"annotations describe what the tool does ({TOOLS})"
    expect(server, good, "issue_refund: destructive, idempotent, not read-only", rule)


def test_a_refund_is_asked_for_first(server):
    result = question(server, call(server))
    requests = result["inputRequests"]
    kinds = [each["method"] for each in requests.values()]
    rule = f"values are elicitation, sampling or roots requests ({ASKING})"
    expect(server, kinds == ["elicitation/create"], "one elicitation/create", rule)
    (form,) = [each["params"] for each in requests.values()]
    good = isinstance(form.get("message"), str) and form["message"].strip()
    expect(server, good, "a message that says why", ELICITATION)
    rule = f"no jsonrpc and no id: it is no message of its own ({ASKING})"
    bare = not {"jsonrpc", "id"} & set(*requests.values())
    expect(server, bare, "an input request without jsonrpc and id", rule)
    rule = "no caching of a question (server/utilities/caching)"
    expect(server, "ttlMs" not in result, "no ttlMs", rule)
    expect_nothing_refunded(server)


def test_the_form_is_flat(server):
    (asked,) = question(server, call(server))["inputRequests"].values()
    schema = asked["params"]["requestedSchema"]
    fields = schema["properties"]
    rule = f"flat objects with primitive properties only ({ELICITATION})"
    good = schema["type"] == "object" and fields
    good = good and all(each["type"] in PRIMITIVE for each in fields.values())
    good = good and not any("$ref" in each for each in fields.values())
    expect(server, good, "an object of strings, numbers, booleans, choices", rule)
    known = set(schema.get("required", ())) <= set(fields)
    expect(server, known, "required names fields that are there", rule)


def test_two_questions_have_two_states(server):
    rule = f"each question is answered once, so each is one of its own ({ASKING})"
    expect(server, ask(server) != ask(server), "another state", rule)


# The three answers


def test_accept_refunds(server):
    done = refund(server, reply(server, ask(server)))
    same = {name: done.get(name) for name in FIRST} == FIRST
    expect(server, same, "the refund of what was asked for", TOOLS)
    again = refund(server, call(server))
    rule = f"a refunded charge stays as it is: idempotentHint ({TOOLS})"
    expect(server, again == done, "the same refund, and nobody asked", rule)


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_no_is_no_error_and_refunds_nothing(server, action):
    data = outcome(server, reply(server, ask(server), {"action": action}))
    wanted = {"decline": "declined", "cancel": "cancelled"}[action]
    rule = f"servers handle each action ({ELICITATION})"
    expect(server, data.get("status") == wanted, f"the status {wanted}", rule)
    expect_nothing_refunded(server)


def test_what_was_declined_cannot_be_accepted_with_the_same_state(server):
    state = ask(server)
    outcome(server, reply(server, state, {"action": "decline"}))
    rule = f"consumed once: the server MUST enforce that itself ({ASKING})"
    expect_refused(server, reply(server, state), rule)


def test_a_missing_answer_is_asked_for_again(server):
    state = ask(server)
    rule = f"SHOULD ask again for what is missing ({ASKING})"
    question(server, call(server, requestState=state))
    question(server, call(server, requestState=state, inputResponses={}))
    other = {"nickname": YES}
    again = question(server, call(server, requestState=state, inputResponses=other))
    expect(server, "inputRequests" in again, "the question", rule)
    refund(server, reply(server, again["requestState"]))


def test_answers_that_nobody_asked_for_are_ignored(server):
    rule = f"SHOULD ignore what it does not need ({ASKING})"
    responses = {"confirm": YES, "nickname": YES, "": {"action": "cancel"}}
    state = ask(server)
    refund(server, call(server, requestState=state, inputResponses=responses), rule)


def test_answers_without_a_state_refund_nothing(server):
    # Otherwise a client could say yes to a question that no person was shown.
    question(server, call(server, inputResponses={"confirm": YES}))
    expect_nothing_refunded(server)


MALFORMED: list = [
    {},
    {"action": "yes"},
    {"action": True},
    {"action": "ACCEPT", "content": {"reason": "duplicate"}},
    {"action": "accept", "content": "duplicate"},
    {"action": "accept", "content": ["duplicate"]},
    "accept",
    ["accept"],
]


def test_a_malformed_answer_is_a_protocol_error(server):
    state = ask(server)
    rule = f"invalid schema: a JSON-RPC error ({ASKING})"
    for answer in MALFORMED:
        expect_error(server, reply(server, state, answer), INVALID_PARAMS, rule)
    for answers in ([], "accept", [YES]):
        response = call(server, requestState=state, inputResponses=answers)
        expect_error(server, response, INVALID_PARAMS, rule)
    expect_nothing_refunded(server)


MISFITS: list[dict] = [
    {},
    {"reason": "because"},
    {"reason": 7},
    {"reason": "duplicate", "notify": "yes"},
    {"reason": "duplicate", "note": "x" * 201},
]


def test_content_that_does_not_fit_the_form_can_be_corrected(server):
    state = ask(server)
    rule = f"SHOULD validate what was filled in ({ELICITATION})"
    for content in MISFITS:
        bad = {"action": "accept", "content": content}
        expect_tool_error(server, reply(server, state, bad), rule)
    expect_nothing_refunded(server)
    refund(server, reply(server, state))


# What a state is good for


def test_a_changed_state_is_refused(server):
    state = ask(server)
    changed = [state[:-1], state + "A", state.upper(), state + state, f" {state}"]
    for at in (0, 1, len(state) // 2, len(state) - 2, len(state) - 1):
        other = "B" if state[at] == "A" else "A"
        changed.append(state[:at] + other + state[at + 1 :])
    rule = f"MUST reject state that fails verification ({ASKING})"
    for each in changed:
        expect_error(server, reply(server, each), INVALID_PARAMS, rule)
    expect_nothing_refunded(server)
    refund(server, reply(server, state))


def test_what_was_never_a_state_is_refused(server):
    rule = f"MUST treat requestState as attacker-controlled ({ASKING})"
    texts = ["", ".", "AAAA.AAAA", "v1.AAAA", "é", "\0", "A" * 100_000]
    for state in (*texts, 7, True, [], {}):
        expect_error(server, reply(server, state), INVALID_PARAMS, rule)
    expect_nothing_refunded(server)


def test_a_state_is_good_for_its_request_alone(server):
    state = ask(server)
    rule = f"SHOULD reject state on a request that does not match ({ASKING})"
    for other in (SECOND, {**FIRST, "amount_cents": 4800}):
        response = reply(server, state, arguments=other)
        expect_error(server, response, INVALID_PARAMS, rule)
        expect_nothing_refunded(server, other)
    expect_nothing_refunded(server)


def test_a_state_is_good_for_its_tool_alone(server):
    state = ask(server)
    rule = f"the method and the tool are part of what was asked ({ASKING})"
    response = call(server, "set_payout_account", ACCOUNT, requestState=state)
    expect_error(server, response, INVALID_PARAMS, rule)
    ticket = {"ticket_id": "2318"}
    response = call(server, "get_ticket", ticket, requestState=state)
    expect_error(server, response, INVALID_PARAMS, rule)


def test_a_state_is_good_for_its_person_alone(server):
    state = ask(server)
    rule = f"SHOULD reject state of a different principal ({ASKING})"
    other = server.another(user="ben")
    response = reply(other, state)
    expect_error(other, response, INVALID_PARAMS, rule)
    expect_nothing_refunded(server)


def test_the_answer_may_go_to_another_process(server):
    # Two copies of a server are lesson 08; here it is one after the other.
    state = ask(server)
    other = server.another()
    done = refund(other, reply(other, state))
    again = refund(server, call(server))
    rule = f"the server holds nothing of the question ({ASKING})"
    expect(server, again["refund_id"] == done["refund_id"], "the same refund", rule)


@pytest.mark.parametrize("answer", [YES, {"action": "decline"}], ids=["yes", "no"])
def test_a_replay_never_refunds_twice(server, answer):
    state = ask(server)
    done = refund(server, reply(server, state))
    for each in (server, server.another()):
        response = reply(each, state, answer)
        if "result" in response:
            rule = f"what is told of the first answer stays true ({ASKING})"
            same = refund(each, response)["refund_id"] == done["refund_id"]
            expect(each, same, "the same refund again, or the error -32602", rule)
        else:
            expect_error(each, response, INVALID_PARAMS, ASKING)
    again = refund(server, call(server))
    rule = f"one yes, one refund ({ASKING})"
    expect(server, again["refund_id"] == done["refund_id"], "the first refund", rule)


def test_after_a_lost_answer_the_same_call_gives_the_same_refund(server):
    # QwenLM/qwen-code#8387: a retry after a lost reply runs a write twice
    done = refund(server, reply(server, ask(server)))
    server.restart(kill=True)
    rule = f"calling again has no additional effect ({TOOLS}, idempotentHint)"
    again = refund(server, call(server), rule)
    expect(server, again == done, "the refund as it was", rule)


def test_two_questions_about_a_charge_make_one_refund(server):
    one, two = ask(server), ask(server)
    done = refund(server, reply(server, one))
    response = reply(server, two)
    again = refund(server, response)
    rule = f"a charge is refunded at most once ({TOOLS}, idempotentHint)"
    expect(server, again["refund_id"] == done["refund_id"], "the same refund", rule)


# What is refused before anybody is asked


IMPOSSIBLE: list[dict] = [
    {**FIRST, "ticket_id": "9999"},
    {**FIRST, "ticket_id": "2319"},
    {**FIRST, "charge_id": "ch_999999"},
    {**FIRST, "amount_cents": 4901},
    {**FIRST, "amount_cents": 0},
    {**FIRST, "amount_cents": -4900},
    {**FIRST, "amount_cents": "4900"},
    {**FIRST, "amount_cents": 49.5},
    {**FIRST, "amount_cents": True},
    {"ticket_id": "2318", "charge_id": "ch_204837"},
]


def test_a_refund_that_cannot_be_is_a_tool_error(server):
    rule = f"business rules and bad values: tool execution errors ({TOOLS})"
    for arguments in IMPOSSIBLE:
        expect_tool_error(server, call(server, arguments=arguments), rule)


def test_another_amount_for_a_refunded_charge_is_a_tool_error(server):
    refund(server, reply(server, ask(server)))
    other = {**FIRST, "amount_cents": 100}
    rule = f"a charge is refunded at most once ({TOOLS})"
    expect_tool_error(server, call(server, arguments=other), rule)


def test_a_closed_card_needs_an_account_first(server):
    text = expect_tool_error(server, call(server, arguments=CLOSED), TOOLS)
    rule = f"the text tells the model what would be right ({TOOLS})"
    expect(server, "set_payout_account" in text, "set_payout_account named", rule)


def test_a_client_that_shows_no_forms_is_told_what_is_missing(server):
    rule = f"MUST NOT ask for what was not declared: -32021 ({ASKING})"
    for meta in (able(), able("url")):
        error = expect_error(server, call(server, meta=meta), MISSING_CAPABILITY, rule)
        needed = error.get("data", {}).get("requiredCapabilities", {})
        asks = "form" in needed.get("elicitation", {})
        expect(server, asks, "requiredCapabilities with elicitation, form", rule)


def test_an_empty_capability_means_forms(server):
    empty = {**META, CAPABILITIES: {"elicitation": {}}}
    rule = f"an empty object is equivalent to form ({ELICITATION})"
    result = expect_result(server, call(server, meta=empty), rule)
    asks = result.get("resultType") == "input_required"
    expect(server, asks, "the question", rule)


def test_what_one_request_declares_is_not_true_of_the_next(server):
    question(server, call(server))
    rule = "capabilities are those of the request (basic/index)"
    expect_error(server, call(server, meta=able()), MISSING_CAPABILITY, rule)


# Questions by address


def test_what_must_not_be_typed_into_a_form_is_asked_by_address(server):
    result = question(server, call(server, "set_payout_account", ACCOUNT))
    (asked,) = result["inputRequests"].values()
    params = asked["params"]
    good = params.get("mode") == "url" and "requestedSchema" not in params
    rule = f"MUST use URL mode for payment credentials ({ELICITATION})"
    expect(server, good, 'the mode "url", and no form', rule)
    good = re.fullmatch(r"https://[^\s/]+/\S+", str(params.get("url")))
    expect(server, good, "a valid url, with https", ELICITATION)
    rule = f"MUST NOT hold personal data of the user ({ELICITATION})"
    bare = "cus_1310" not in params["url"] and "local" not in params["url"]
    expect(server, bare, "a url without the customer", rule)


def test_accept_of_an_address_does_not_mean_done(server):
    how = {"name": "set_payout_account", "arguments": ACCOUNT}
    response = reply(server, ask(server, **how), {"action": "accept"}, **how)
    result = expect_result(server, response, ELICITATION)
    data = result.get("structuredContent", {})
    rule = f"accept: the person agreed to open it, no more ({ELICITATION})"
    expect(server, data.get("status") != "saved", "an account not yet saved", rule)
    expect_tool_error(server, call(server, arguments=CLOSED), rule)


def test_a_client_that_opens_no_addresses_is_told_what_is_missing(server):
    rule = f"MUST NOT use a mode that was not declared ({ELICITATION})"
    for meta in (able("form"), {**META, CAPABILITIES: {"elicitation": {}}}):
        response = call(server, "set_payout_account", ACCOUNT, meta)
        error = expect_error(server, response, MISSING_CAPABILITY, rule)
        needed = error.get("data", {}).get("requiredCapabilities", {})
        asks = "url" in needed.get("elicitation", {})
        expect(server, asks, "requiredCapabilities with elicitation, url", rule)


# Progress and cancelling. The helpdesk reads 25 tickets a second for an export.


def export(server: Wire, status="pending", token: object = None) -> object:
    """Ask for an export and do not wait; the id of the request."""
    meta = META if token is None else {**META, "progressToken": token}
    arguments = {"status": status} if status else {}
    params = {"name": "export_tickets", "arguments": arguments}
    return server.send("tools/call", params, meta=meta)


def progress(server: Wire, token: object) -> list[float]:
    """What progress was told for the token, so far."""
    told = []
    for direction, line in server.entries:
        message = json.loads(line) if direction == "server" else {}
        if message.get("method") == "notifications/progress":
            params = message["params"]
            given = params["progressToken"]
            if type(given) is type(token) and given == token:
                told.append(params["progress"])
    return told


def expect_no_more(server: Wire) -> None:
    """The server ends, and what was cancelled is not heard of (see Wire.cancel)."""
    expect(server, server.end() == 0, "exit code 0", STDIO)


def test_an_export_holds_every_ticket(server):
    result = expect_result(server, server.response(export(server)), TOOLS)
    expect(server, not result.get("isError"), "no isError", TOOLS)
    data = result["structuredContent"]
    (file,) = [each for each in result["content"] if each["type"] == "resource"]
    lines = file["resource"]["text"].splitlines()
    rule = f"an embedded resource, and what it holds ({TOOLS})"
    good = file["resource"].get("mimeType") == "text/csv"
    good = good and data["tickets"] == 11 and len(lines) > data["tickets"]
    expect(server, good, "text/csv with the 11 pending tickets and a head", rule)


@pytest.mark.parametrize("token", ["abc", 0, ""], ids=json.dumps)
def test_progress_grows_and_ends_with_the_answer(server, token):
    # modelcontextprotocol/python-sdk#176, shaun0927/openchrome#954
    expect_result(server, server.response(export(server, token=token)), PROGRESS)
    told = progress(server, token)
    rule = f"for the token that was given, increasing each time ({PROGRESS})"
    grows = all(one < other for one, other in itertools.pairwise(told))
    expect(server, told and grows, "progress for this token, strictly growing", rule)
    server.end()
    rule = f"MUST stop after completion ({PROGRESS})"
    expect(server, progress(server, token) == told, "no progress after it", rule)


def test_without_a_token_there_is_no_progress(server):
    expect_result(server, server.response(export(server)), PROGRESS)
    lines = [json.loads(line) for way, line in server.entries if way == "server"]
    rule = f"only for tokens that a request gave ({PROGRESS})"
    quiet = not any("method" in each for each in lines)
    expect(server, quiet, "the answer alone", rule)


def test_a_token_is_a_string_or_an_integer(server):
    rule = f"MUST be a string or integer ({PROGRESS})"
    tokens: list = [1.5, True, [], {"a": 1}]
    for token in tokens:
        response = server.response(export(server, token=token))
        expect_error(server, response, INVALID_PARAMS, rule)


def test_a_cancelled_call_sends_nothing_more(server):
    # modelcontextprotocol/python-sdk#2481, modelcontextprotocol/rust-sdk#957
    server.cancel(export(server, "open", "t"))
    expect_no_more(server)


def test_cancelling_one_call_leaves_the_others(server):
    # QwenLM/qwen-code#11272
    one, two = export(server, token="one"), export(server, token="two")
    server.cancel(one)
    result = expect_result(server, server.response(two), CANCELLATION)
    expect(server, not result.get("isError"), "the other export", CANCELLATION)
    expect_no_more(server)


def test_a_cancelled_call_gives_its_place_back(server):
    for _ in range(6):
        server.cancel(export(server, "closed"))
    result = expect_result(server, server.response(export(server)), CANCELLATION)
    rule = f"SHOULD free what it held ({CANCELLATION})"
    expect(server, not result.get("isError"), "an export, as if alone", rule)


def test_a_person_has_two_exports_at_once(server):
    running = [export(server), export(server)]
    response = server.response(export(server))
    expect_tool_error(server, response, f"servers MUST rate limit ({TOOLS})")
    for each in running:
        expect_result(server, server.response(each), TOOLS)


NO_CANCELS: list = [
    None,
    {},
    [],
    {"requestId": None},
    {"requestId": {"a": 1}},
    {"requestId": 424242},
    {"requestId": "nobody"},
    {"requestId": True},
]


def test_a_cancel_that_means_nothing_is_ignored(server):
    # MarkusPfundstein/mcp-gsuite#21
    number = export(server)
    for params in NO_CANCELS:
        server.notify("notifications/cancelled", params)
    rule = f"SHOULD be ignored: unknown, malformed ({CANCELLATION})"
    expect_result(server, server.response(number), rule)


def test_an_id_of_another_type_is_another_id(server):
    number = export(server)
    server.notify("notifications/cancelled", {"requestId": str(number)})
    rule = '1 and "1" are two ids (basic/index)'
    expect_result(server, server.response(number), rule)


def test_a_cancel_that_comes_too_late_is_ignored(server):
    # modelcontextprotocol/python-sdk#2416
    for _ in range(20):
        params = {"name": "get_ticket", "arguments": {"ticket_id": "2318"}}
        number = server.send("tools/call", params)
        server.notify("notifications/cancelled", {"requestId": number})
    expect_result(server, server.request("server/discover"), CANCELLATION)
    lines = [json.loads(line) for way, line in server.entries if way == "server"]
    ids = [each["id"] for each in lines]
    rule = f"a late cancel changes nothing, and nothing comes twice ({CANCELLATION})"
    expect(server, len(set(ids)) == len(ids), "at most one answer for each id", rule)
    expect_result(server, server.request("server/discover"), rule)


def test_a_long_call_keeps_nobody_waiting(server):
    number = export(server)
    params = {"name": "get_ticket", "arguments": {"ticket_id": "2318"}}
    for _ in range(5):
        expect_result(server, server.response(server.send("tools/call", params)), TOOLS)
    answered = [json.loads(line) for way, line in server.entries if way == "server"]
    rule = f"requests are answered as they are done, in any order ({STDIO})"
    waits = not any(each.get("id") == number for each in answered)
    expect(server, waits, "five tickets before the export", rule)
    expect_result(server, server.response(number), TOOLS)


def test_clients_of_the_older_era_get_a_tool_error(server):
    client = {"name": "old", "version": "1.0.0"}
    hello = {"protocolVersion": "2025-11-25", "clientInfo": client}
    hello |= {"capabilities": {"elicitation": {}}}
    expect_result(server, server.request("initialize", hello, meta=None), ASKING)
    server.notify("notifications/initialized")
    params = {"name": "issue_refund", "arguments": FIRST}
    response = server.request("tools/call", params, meta=None)
    rule = f"input_required is of this revision alone ({ASKING})"
    result = expect_result(server, response, rule)
    expect(server, result.get("isError") is True, "isError true", rule)
