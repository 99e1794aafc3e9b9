/** Determines the host that issues a recipient's destination, and the messages for the host's errors. */
import { meaningOf, type ErrorCode } from '../../../protocol/errors/service-error.ts';
import { recipientKind } from '../../../protocol/payments/recipient.ts';
import { visible } from '../../ui/amounts/format.ts';
import { errorTexts, sendTexts as t } from '../../ui/texts/texts.ts';

/** Maximum displayed length of a domain name (characters; RFC 1035, section 2.3.4). */
const HOST_SHOWN = 253;

export interface RequestedHost {
  kind: 'PAYMAIL' | 'USER';
  /** For display: a paymail's domain, or the service's host for a user ID. */
  host: string;
}

/** Returns the host to query, or null if none is needed. `serviceUrl` is the wallet's service, for user IDs. */
export function requestedHost(to: string, serviceUrl: string): RequestedHost | null {
  const text = to.trim();
  const kind = recipientKind(text);
  if (kind === 'PAYMAIL')
    return {
      kind,
      host: visible(
        text
          .slice(text.indexOf('@') + 1)
          .slice(0, HOST_SHOWN)
          .toLowerCase(),
      ),
    };
  return kind === 'USER' ? { kind, host: new URL(serviceUrl).host } : null;
}

/**
 * Returns the message for an error from the recipient's host, or undefined if `code` is unrelated.
 * @param unsupported message for a host that doesn't accept the asset
 */
export function hostProblem(
  { kind, host }: RequestedHost,
  code: ErrorCode | undefined,
  unsupported: (values: { host: string }) => string = t.hosts.unsupported,
): string | undefined {
  switch (code) {
    case undefined:
    case 'amount-too-small':
    case 'invalid-amount':
      return undefined;
    case 'unknown-recipient':
      return kind === 'USER' ? t.hosts.unknownUser : t.hosts.unknown({ host });
    case 'paymail-unavailable':
    case 'service-unavailable':
      return t.hosts.unavailable({ host });
    case 'paymail-mismatch':
      return t.hosts.nonsense({ host });
    case 'unsupported-recipient':
      return unsupported({ host });
    default:
      return (errorTexts as Partial<Record<ErrorCode, string>>)[code] ?? errorTexts.internal;
  }
}

/** True if the host failed, in which case a retry might succeed. */
export const mayChange = (code: ErrorCode | undefined): boolean =>
  code !== undefined && ['network', 'service'].includes(meaningOf(code).blame);
