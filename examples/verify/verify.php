<?php
declare(strict_types=1);

/**
 * Verifies a service's webhooks and payments, with PHP 8.1 or newer (64 bit) and without packages.
 *
 *     $event = verify_webhook(getallheaders(), file_get_contents('php://input'), getenv('WEBHOOK_SECRET'));
 *     if ($event['type'] === 'payment.received') check_payment($event['data']['payment'], 'mpYY…', 200_000, 'order-17');
 *     // Any other type: respond with 204 and ignore it.
 *
 * Both functions throw VerificationError. Store each payment's txid with its order, because these checks can't detect
 * that you have already delivered for a payment.
 */

/** The webhook or payment failed a check. Respond to a webhook with 400, and deliver nothing. */
final class VerificationError extends Exception
{
}

/**
 * Verifies a webhook's signature and returns its event (Standard Webhooks).
 *
 * @param array<string, string> $headers
 * @param string $body the raw body, before any parsing
 * @param string $secret whsec_…
 * @param int $tolerance seconds
 * @param int|null $now seconds since 1970
 */
function verify_webhook(array $headers, string $body, string $secret, int $tolerance = 300, ?int $now = null): array
{
    $given = array_change_key_case($headers);
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        if (!is_string($given[$name] ?? null)) throw new VerificationError('A header of the webhook is missing.');
    }
    ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signatures] = $given;
    if (!preg_match('/^\d{1,12}$/D', $timestamp)) throw new VerificationError('The time of the webhook is malformed.');
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false || strlen($key) < 16) throw new TypeError('The webhook secret is not set.');
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $isSigned = false;
    foreach (explode(' ', $signatures) as $one) $isSigned = hash_equals($expected, $one) || $isSigned;
    if (!$isSigned) throw new VerificationError('The webhook was not signed with this secret, or its body was changed.');
    if (abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
        throw new VerificationError('The webhook was signed too long ago.');
    }
    return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
}

/**
 * Checks that a payment's transaction pays at least this many satoshis to an address.
 *
 * @param array $payment from a webhook, or from GET /api/v2/payments/{id}
 * @param bool $completed true to accept only mined payments
 */
function check_payment(array $payment, string $to, int $satoshis, ?string $buttonId = null, bool $completed = false): void
{
    if ($payment['status'] !== 'COMPLETED' && ($completed || $payment['status'] !== 'RECEIVED')) {
        throw new VerificationError("The payment is {$payment['status']}.");
    }
    // "contested" or "unknown": the payment was double-spent, or the network has dropped it.
    if ($payment['status'] === 'RECEIVED' && ($payment['network'] ?? 'seen') !== 'seen') {
        throw new VerificationError("The network state of the payment is {$payment['network']}.");
    }
    if ((int) ($payment['refundedSatoshis'] ?? 0) >= (int) $payment['satoshis']) {
        throw new VerificationError('The payment was fully refunded.');
    }
    if ($buttonId !== null && ($payment['buttonId'] ?? null) !== $buttonId) {
        throw new VerificationError('The payment was made by another button.');
    }
    $raw = preg_match('/^(?:[0-9a-f]{2})+$/Di', $payment['rawtx']) ? hex2bin($payment['rawtx']) : '';
    $outputs = read_outputs($raw);
    if (bin2hex(strrev(hash('sha256', hash('sha256', $raw, true), true))) !== $payment['txid']) {
        throw new VerificationError('The payment’s transaction doesn’t match its txid.');
    }
    // Until a transaction with a version above 1 is mined, third parties can change its ID.
    $version = unpack('V', $raw)[1];
    if ($payment['status'] !== 'COMPLETED' && $version > 1 && $version < 0x80000000) {
        throw new VerificationError('The id of the transaction is not final before a block contains it.');
    }
    $script = address_script($to);
    $paid = 0;
    foreach ($outputs as [$value, $lock]) $paid += $lock === $script ? $value : 0;
    if ($paid < $satoshis) throw new VerificationError('The transaction does not pay the expected amount.');
}

/**
 * Returns a transaction's outputs, as [satoshis, script].
 *
 * @return list<array{int, string}>
 */
function read_outputs(string $raw): array
{
    $at = 4;
    $take = function (int $count) use ($raw, &$at): string {
        if ($count < 0 || $count > strlen($raw) - $at) throw new VerificationError('The transaction is malformed.');
        $at += $count;
        return substr($raw, $at - $count, $count);
    };
    $number = function () use ($take): int {
        $first = ord($take(1));
        return match ($first) {
            0xfd => unpack('v', $take(2))[1],
            0xfe => unpack('V', $take(4))[1],
            0xff => unpack('P', $take(8))[1],
            default => $first,
        };
    };
    for ($left = $number(); $left > 0; $left--) {
        $take(36);
        $take($number());
        $take(4);
    }
    $outputs = [];
    for ($left = $number(); $left > 0; $left--) {
        $value = unpack('P', $take(8))[1];
        // Limited to the total supply, so that sums never become floats.
        if ($value < 0 || $value > 21_000_000 * 100_000_000) throw new VerificationError('The transaction is malformed.');
        $outputs[] = [$value, $take($number())];
    }
    $take(4);
    if ($at !== strlen($raw)) throw new VerificationError('The transaction is malformed.');
    return $outputs;
}

/** Returns the locking script of a P2PKH address. */
function address_script(string $address): string
{
    $bytes = array_fill(0, 25, 0);
    foreach (str_split($address) as $letter) {
        $carry = strpos('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', $letter);
        if ($carry === false) throw new ValueError('not an address');
        for ($i = 24; $i >= 0; $i--) {
            $carry += $bytes[$i] * 58;
            $bytes[$i] = $carry & 255;
            $carry >>= 8;
        }
        if ($carry > 0) throw new ValueError('not an address');
    }
    $decoded = pack('C*', ...$bytes);
    $checksum = substr(hash('sha256', hash('sha256', substr($decoded, 0, 21), true), true), 0, 4);
    if ($checksum !== substr($decoded, 21)) throw new ValueError('not an address');
    return "\x76\xa9\x14" . substr($decoded, 1, 20) . "\x88\xac";
}

// Used to test this file. Reads {"headers", "body", "to", "satoshis"} from standard input.
if (PHP_SAPI === 'cli' && realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    $request = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
    try {
        $event = verify_webhook($request['headers'], $request['body'], (string) getenv('WEBHOOK_SECRET'));
        if ($event['type'] === 'payment.received') {
            check_payment($event['data']['payment'], $request['to'], $request['satoshis']);
            echo "paid\n";
        } else {
            echo "ignored\n";
        }
    } catch (VerificationError $error) {
        echo "rejected: {$error->getMessage()}\n";
    }
}
