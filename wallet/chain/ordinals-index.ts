/**
 * Client for the 1Sat ordinals index, for both APIs (`one-sat-forms.ts`). It finds outputs with tokens or ordinals by
 * address, whereas other indexes list outputs only by script. The wallet reads each output from the transaction that
 * created it. Ordinals' origins, and tokens that the wallet can't trace itself, remain unverified.
 */
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { Settings } from '../../protocol/messages/wallet-messages.ts';
import { MAX_DECIMALS, readTokenAmount, readTokenId } from '../../protocol/assets/bsv21/token.ts';
import { readSettings } from '../settings.ts';
import { former, stack, type OneSatForm, type OneSatOutput } from './one-sat-forms.ts';
import { part, type Wallet } from '../platform.ts';

export type { OneSatOutput } from './one-sat-forms.ts';

const PRESETS: Record<Network, string | null> = {
  mainnet: 'https://api.1sat.app/1sat',
  testnet: 'https://testnet.api.1sat.app/1sat',
  devnet: null,
};

export interface IndexedToken {
  symbol: string | null;
  decimals: number;
  supply: bigint | null;
  icon: string | null;
}

/** Returns the URL of the index: the user's own if set, otherwise the network's or, on a devnet, the service's. */
export const ordinalsIndex = async (wallet: Wallet): Promise<string> => indexIn(await readSettings(wallet));

export function indexIn({ ordinalsUrl, network, serviceUrl }: Settings): string {
  return ordinalsUrl ?? PRESETS[network] ?? `${new URL(serviceUrl).origin}/devnet/ordinals`;
}

// The detected API of each URL. Lost when the worker stops.
const spoken = part(() => new Map<string, OneSatForm>());
const FORMS = part((wallet) => [former(wallet), stack(wallet)]);

/**
 * Sends a request with the detected API of a URL or, if still unknown, with each API in turn.
 * @returns null if no API has data
 * @throws ServiceError `network-unavailable` or `too-large` if all APIs fail
 */
async function asking<T>(
  wallet: Wallet,
  base: string,
  ask: (form: OneSatForm) => Promise<T | null>,
): Promise<T | null> {
  const known = spoken(wallet).get(base);
  if (known) return ask(known);
  const faults: unknown[] = [];
  for (const form of FORMS(wallet)) {
    const answer = await ask(form).catch((error: unknown) => {
      faults.push(error);
      return null;
    });
    if (answer === null) continue;
    spoken(wallet).set(base, form);
    return answer;
  }
  if (faults.length === FORMS(wallet).length) throw faults[0];
  return null;
}

/**
 * Returns the unspent one-satoshi outputs of an address, with or without tokens.
 * @param count called before each request
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function oneSatOutputsOf(
  wallet: Wallet,
  base: string,
  address: string,
  count: () => void,
): Promise<OneSatOutput[]> {
  return (await asking(wallet, base, (form) => form.outputs(base, address, count))) ?? [];
}

/** Returns whether the index recognizes an output as valid for the token `id`; null if unknown. */
export function isCountedValid(
  wallet: Wallet,
  base: string,
  txid: string,
  vout: number,
  id: string,
): Promise<boolean | null> {
  return asking(wallet, base, (form) => form.isValid(base, { txid, vout }, id));
}

/** Returns the index's metadata for a token; null if the token is unknown. */
export async function indexedToken(wallet: Wallet, base: string, id: string): Promise<IndexedToken | null> {
  const told = await asking(wallet, base, (form) => form.token(base, id));
  if (!told) return null;
  const { sym, dec, amt, icon } = told;
  return {
    symbol: sym?.isWellFormed() ? sym : null,
    decimals: dec !== null && dec !== undefined && dec >= 0 && dec <= MAX_DECIMALS ? dec : 0,
    supply: readTokenAmount(amt),
    icon: icon && readTokenId(icon) ? icon : null,
  };
}
