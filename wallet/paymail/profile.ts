import { publicProfileResponse, type Paymail } from '../../protocol/http/paymail.ts';
import { isShownLine, isVisible } from '../../protocol/text/shown-text.ts';
import { capabilityUrl, type KnownHost } from './discovery.ts';
import { requestHost } from './host.ts';
import type { Wallet } from '../platform.ts';

/** Maximum length of a displayed name (characters). */
const MAX_NAME = 80;

/**
 * Requests a paymail's profile name. The paymail's picture is never requested, because the picture's host could see who
 * views it and when (wallet/avatars/avatars.ts).
 * @returns null if there is no name that is safe to show
 */
export async function profileName(
  wallet: Wallet,
  host: KnownHost,
  paymail: Paymail,
  timeoutMs: number,
): Promise<string | null> {
  const url = await capabilityUrl(wallet, host, 'publicProfile', paymail);
  if (url === null) return null;
  const answer = await requestHost(wallet, url, { client: host.client, timeoutMs });
  const read = answer.status === 200 ? publicProfileResponse.safeParse(answer.body) : null;
  return read?.success ? shownName(read.data.name ?? '') : null;
}

/** Returns a name that is safe to show (one short line, no invisible or bidirectional control characters), or null. */
export function shownName(text: string): string | null {
  const name = text.trim().replaceAll(/\s+/g, ' ');
  if (!isShownLine(name) || !isVisible(name)) return null;
  const letters = [...name];
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME - 1).join('')}…` : name;
}
