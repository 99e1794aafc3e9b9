"""Verifies a service's webhooks and payments, with Python 3.9 or newer and without packages.

    event = verify_webhook(request.headers, raw_body, os.environ["WEBHOOK_SECRET"])
    if event["type"] == "payment.received":
        check_payment(event["data"]["payment"], to="mpYY…", satoshis=200_000, button_id="order-17")
    # Any other type: respond with 204 and ignore it.

Both functions raise VerificationError. Store each payment's txid with its order, because these checks can't detect
that you have already delivered for a payment.
"""

import base64
import binascii
import hashlib
import hmac
import json
import time

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


class VerificationError(Exception):
    """The webhook or payment failed a check. Respond to a webhook with 400, and deliver nothing."""


def verify_webhook(headers, body, secret, tolerance=300, now=None):
    """Verifies a webhook's signature and returns its event (Standard Webhooks).

    headers: any mapping of names to values. body: the raw bytes, before any parsing. secret: whsec_….
    tolerance: seconds. now: seconds since 1970.
    """
    if not isinstance(body, bytes):
        raise TypeError("Pass the raw body as bytes: request.get_data() in Flask, request.body in Django.")
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp, signatures = (
            given["webhook-" + name] for name in ("id", "timestamp", "signature")
        )
        at = int(timestamp)
    except (KeyError, ValueError):
        raise VerificationError("A header of the webhook is missing or malformed.") from None
    key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret)
    if len(key) < 16:
        raise TypeError("The webhook secret is not set.")
    signed = message_id.encode() + b"." + timestamp.encode() + b"." + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures.split(" ")):
        raise VerificationError("The webhook was not signed with this secret, or its body was changed.")
    if abs((time.time() if now is None else now) - at) > tolerance:
        raise VerificationError("The webhook was signed too long ago.")
    return json.loads(body)


def check_payment(payment, to, satoshis, button_id=None, completed=False):
    """Checks that a payment's transaction pays at least this many satoshis to an address.

    payment: from a webhook, or from GET /api/v2/payments/{id}. completed: True to accept only mined payments.
    """
    if payment["status"] != "COMPLETED" and (completed or payment["status"] != "RECEIVED"):
        raise VerificationError(f"The payment is {payment['status']}.")
    # "contested" or "unknown": the payment was double-spent, or the network has dropped it.
    if payment["status"] == "RECEIVED" and payment.get("network", "seen") != "seen":
        raise VerificationError(f"The network state of the payment is {payment['network']}.")
    if int(payment.get("refundedSatoshis") or 0) >= int(payment["satoshis"]):
        raise VerificationError("The payment was fully refunded.")
    if button_id is not None and payment.get("buttonId") != button_id:
        raise VerificationError("The payment was made by another button.")
    try:
        raw = bytes.fromhex(payment["rawtx"])
        outputs = read_outputs(raw)
    except (ValueError, IndexError):
        raise VerificationError("The transaction is malformed.") from None
    if hashlib.sha256(hashlib.sha256(raw).digest()).digest()[::-1].hex() != payment["txid"]:
        raise VerificationError("The payment’s transaction doesn’t match its txid.")
    # Until a transaction with a version above 1 is mined, third parties can change its ID.
    if payment["status"] != "COMPLETED" and int.from_bytes(raw[:4], "little", signed=True) > 1:
        raise VerificationError("The id of the transaction is not final before a block contains it.")
    script = address_script(to)
    if sum(value for value, lock in outputs if lock == script) < satoshis:
        raise VerificationError("The transaction does not pay the expected amount.")


def read_outputs(raw):
    """Returns a transaction's outputs, as (satoshis, script). Raises ValueError."""
    at = 4

    def take(count):
        nonlocal at
        if count > len(raw) - at:
            raise ValueError("the bytes end too early")
        at += count
        return raw[at - count : at]

    def number():
        first = take(1)[0]
        return first if first < 0xFD else int.from_bytes(take(1 << (first - 0xFC)), "little")

    for _ in range(number()):
        take(36)
        take(number() + 4)
    outputs = []
    for _ in range(number()):
        value = int.from_bytes(take(8), "little")
        outputs.append((value, take(number())))
    take(4)
    if at != len(raw):
        raise ValueError("bytes are left over")
    return outputs


def address_script(address):
    """Returns the locking script of a P2PKH address. Raises ValueError."""
    number = 0
    for letter in address:
        number = number * 58 + BASE58.index(letter)
    try:
        decoded = number.to_bytes(25, "big")
    except OverflowError:
        raise ValueError("not an address") from None
    if hashlib.sha256(hashlib.sha256(decoded[:21]).digest()).digest()[:4] != decoded[21:]:
        raise ValueError("not an address")
    return b"\x76\xa9\x14" + decoded[1:21] + b"\x88\xac"


if __name__ == "__main__":
    import os
    import sys

    # Used to test this file. Reads {"headers", "body", "to", "satoshis"} from standard input.
    request = json.load(sys.stdin)
    try:
        event = verify_webhook(request["headers"], request["body"].encode(), os.environ["WEBHOOK_SECRET"])
        if event["type"] == "payment.received":
            check_payment(event["data"]["payment"], request["to"], request["satoshis"])
            print("paid")
        else:
            print("ignored")
    except (VerificationError, binascii.Error) as error:
        print(f"rejected: {error}")
