"""Text that a client carries for us, and can't change: sealed tokens. (lesson 06)

A token is `value.mac`: the value anyone can read, the HMAC-SHA256 only we can make. It
covers the purpose as well, which isn't in the token, so what was given to one person
for one list opens nothing else. Nothing is stored, so a token survives a restart.
"""

import json

MAC_SIZE = 16  # bytes of 32: nobody guesses 128 bits, and a model has to copy them


def seal(key: bytes, purpose: list, value: str) -> str:
    """The token that gives `value` back to whoever opens it for the same purpose."""
    import hmac  # loads OpenSSL, which takes half as long as all the rest

    # As JSON, so that no two purposes and values run into the same bytes.
    said = json.dumps([purpose, value]).encode()
    mac = hmac.digest(key, said, "sha256")[:MAC_SIZE]
    return f"{letters(value.encode())}.{letters(mac)}"


def unseal(key: bytes, purpose: list, token: str) -> str | None:
    """The sealed value; None for anything but a token of ours for this purpose."""
    import hmac
    from base64 import urlsafe_b64decode

    try:
        text = token.partition(".")[0]
        value = urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
        # Sealed again and compared as a whole: one spelling of a token is right.
        good = hmac.compare_digest(seal(key, purpose, value), token)
    except (ValueError, TypeError):  # not ASCII, not base64, not UTF-8
        return None
    return value if good else None


def letters(data: bytes) -> str:
    """Base64 as it may stand in an address, without its padding."""
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(data).decode().rstrip("=")
