import { publicProfileResponse, type Paymail } from '../../protocol/http/paymail.ts';
import { isShownLine, isVisible } from '../../protocol/text/shown-text.ts';
import { capabilityUrl, type KnownHost } from './discovery.ts';
import { askHost } from './host.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of characters of a displayed name. */
const MAX_NAME = 80;

/**
 * Requests the name. The picture's address is never requested, because its host would see who views it, and when
 * (avatars/avatars.ts).
 * @returns null if there is none, or none that is safe to show
 */
export async function profileName(
  wallet: Wallet,
  host: KnownHost,
  paymail: Paymail,
  timeoutMs: number,
): Promise<string | null> {
  const url = await capabilityUrl(wallet, host, 'publicProfile', paymail);
  if (url === null) return null;
  const answer = await askHost(wallet, url, { client: host.client, timeoutMs });
  const read = answer.status === 200 ? publicProfileResponse.safeParse(answer.body) : null;
  return read?.success ? shownName(read.data.name ?? '') : null;
}

/** A name that is safe to show (one short line without invisible or direction-changing characters), or null. */
export function shownName(text: string): string | null {
  const name = text.trim().replaceAll(/\s+/g, ' ');
  if (!isShownLine(name) || !isVisible(name)) return null;
  const letters = [...name];
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME - 1).join('')}…` : name;
}
