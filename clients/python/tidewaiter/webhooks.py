"""Checks that a webhook comes from the service."""

import base64
import hashlib
import hmac
import time
from typing import Mapping

TOLERANCE = 300  # seconds


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes) -> bool:
    """Reports whether the secret signed the delivery, as Standard Webhooks says, at most five minutes ago.

    body is what arrived, before it is parsed. Upper and lower case of header names do not matter.
    """
    named = {name.lower(): value for name, value in headers.items()}
    event, timestamp = named.get("webhook-id", ""), named.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    digest = hmac.new(key, f"{event}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    wanted = b"v1," + base64.b64encode(digest)
    signatures = named.get("webhook-signature", "").split()
    return any(hmac.compare_digest(wanted, signature.encode()) for signature in signatures)
