/** The host that is asked where a recipient is to be paid, and what its answer means, in words. */
import { meaningOf, type ErrorCode } from '../../../protocol/errors.ts';
import { recipientKind } from '../../../protocol/recipient.ts';
import { visible } from '../../ui/format.ts';
import { errorTexts } from '../../ui/texts-errors.ts';
import { sendTexts as t } from '../../ui/texts-send.ts';

/** Most characters of a domain's name that are shown: no longer one can be asked (RFC 1035, section 2.3.4). */
const HOST_SHOWN = 253;

/** Who is asked for one row. */
export interface AskedHost {
  kind: 'PAYMAIL' | 'USER';
  /** A paymail's domain, or the service's host for a user ID, for showing. */
  host: string;
}

/**
 * Null where nobody needs to be asked. `serviceUrl` is the service that the wallet is set to, which knows its users.
 */
export function askedHost(to: string, serviceUrl: string): AskedHost | null {
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
 * What is wrong with a recipient by the host's answer or for want of one; undefined where `code` is about something
 * else.
 * @param unsupported what is said of a host that doesn't take what is sent
 */
export function hostProblem(
  { kind, host }: AskedHost,
  code: ErrorCode | undefined,
  unsupported: (host: string) => string = t.hosts.unsupported,
): string | undefined {
  switch (code) {
    case undefined:
    case 'amount-too-small':
    case 'invalid-amount':
      return undefined;
    case 'unknown-recipient':
      return kind === 'USER' ? t.hosts.unknownUser : t.hosts.unknown(host);
    case 'paymail-unavailable':
    case 'service-unavailable':
      return t.hosts.unavailable(host);
    case 'paymail-mismatch':
      return t.hosts.nonsense(host);
    case 'unsupported-recipient':
      return unsupported(host);
    default:
      return (errorTexts as Partial<Record<ErrorCode, string>>)[code] ?? errorTexts.internal;
  }
}

/** Is it the host that failed, so that asking it again may help? */
export const mayChange = (code: ErrorCode | undefined): boolean =>
  code !== undefined && ['network', 'service'].includes(meaningOf(code).blame);
