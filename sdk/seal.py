"""The SDK's seal for requestState, with a key that outlives the process. (lesson 07)

The SDK encrypts a state, and lets it through again for ten minutes, for the same method
and name with the same arguments, and for the same person. The log says why it didn't;
the client only hears that the state is invalid or expired.
"""

import hmac

from mcp.server.mcpserver import RequestStateSecurity

from handwritten.confirm import MINUTES
from handwritten.world import World

SECONDS = MINUTES * 60
PURPOSE = b"requestState of the server on the SDK"


def security(world: World) -> RequestStateSecurity:
    """The seal: for the world's user, and good in every process on its folder."""
    # Left alone, the SDK makes up a key for each process. It is derived, since one key
    # serves one purpose, and that of the folder seals cursors.
    key = hmac.digest(world.key, PURPOSE, "sha256")
    return RequestStateSecurity(
        keys=[key], ttl=SECONDS, bind_principal=lambda _: world.user
    )
