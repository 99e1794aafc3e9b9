/** Basic address resolution, for which requesters must authenticate (BRFC 6745385c3fc0, sender validation). */
import type * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import {
  paymentDestinationMessage,
  readPaymail,
  SENDER_TIME_MS,
  type paymentDestinationRequest,
} from '../../protocol/http/paymail.ts';
import { isSignedBy, signerOf } from '../identity/signed-message.ts';
import type { SenderCheck } from './senders.ts';

const wrong = (message: string) => new ServiceError('invalid-signature', { message });

/**
 * Returns an ISO 8601 time in ms since 1970, or NaN if it is malformed. Also accepts the zone in basic format
 * (`+0200`), which some clients send.
 */
function readTime(dt: string): number {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/.test(dt);
  return isMoment ? Date.parse(dt) : NaN;
}

/**
 * Checks that a request was signed within two minutes of now, with a key confirmed by the sender's own host.
 * @throws ServiceError `invalid-request` (malformed handle), `invalid-signature`
 */
export async function checkSender(
  request: z.output<typeof paymentDestinationRequest>,
  isSender: SenderCheck,
  now: Date,
): Promise<void> {
  const { senderHandle, dt, signature, pubkey } = request;
  if (!readPaymail(senderHandle))
    throw new ServiceError('invalid-request', { message: 'senderHandle must be a paymail.' });
  if (!signature) throw wrong('The request for a payment destination must be signed by the sender.');
  const at = readTime(dt);
  if (!(Math.abs(at - now.getTime()) <= SENDER_TIME_MS))
    throw wrong('dt must be within two minutes of the current time.');
  const message = paymentDestinationMessage(request);
  const publicKey = pubkey?.toLowerCase() ?? signerOf(message, signature);
  if (publicKey === null || !isSignedBy(publicKey, message, signature)) throw wrong('The signature isn’t valid.');
  // The error is the same if the host is unreachable, so requesters learn nothing about other hosts.
  if (!(await isSender(senderHandle, publicKey)))
    throw wrong('The sender’s host doesn’t confirm that this is the sender’s key.');
}
