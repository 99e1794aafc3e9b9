/** Proof Key for Code Exchange (RFC 7636), only with method S256. */
import { createHash } from 'node:crypto';
import type { Parameters } from './parameters.ts';

/** The challenge, null if none was sent, or the reason for its rejection. */
type ChallengeRead = { challenge: string | null } | { refusal: string };

/**
 * Reads the code challenge of an authorization request (section 4.3). A missing method would mean `plain`, which is
 * rejected (RFC 9700, section 2.1.1).
 */
export function readChallenge(parameters: Parameters): ChallengeRead {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (challenge === undefined)
    return method === undefined ? { challenge: null } : { refusal: 'code_challenge is missing.' };
  if (method !== 'S256') return { refusal: 'code_challenge_method must be S256.' };
  // 32 bytes as base64url (section 4.2). The last character encodes only four bits.
  if (!/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(challenge))
    return { refusal: 'code_challenge must be a SHA-256 hash in base64url.' };
  return { challenge };
}

/**
 * True if a verifier matches a challenge (section 4.6). A verifier without a challenge is rejected, because an attacker
 * might have removed the challenge (RFC 9700, section 4.8.2).
 */
export function matchesChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined;
  return (
    verifier !== undefined &&
    /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
    createHash('sha256').update(verifier).digest('base64url') === challenge
  );
}
