/** Which network this wallet is on, and where its two services are. */
import { networkResponse } from '../../../protocol/api.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import type { Network } from '../../../protocol/address.ts';
import { readKey, writeKey } from '../database.ts';
import { readSettings } from '../settings.ts';
import type { FeeRate } from '../transaction/fee.ts';
import { fetchPolicy } from './arc.ts';
import { parseJson, send } from './http.ts';

/** The network's services and its price, as last known. `policyTime` is milliseconds since 1970. */
export interface NetworkInfo {
  network: Network;
  serviceUrl: string;
  arcUrl: string;
  wocUrl: string;
  rate: FeeRate | null;
  policyTime: number;
}

const PRESETS: Record<Exclude<Network, 'devnet'>, { arcUrl: string; wocUrl: string }> = {
  mainnet: { arcUrl: 'https://arc.gorillapool.io', wocUrl: 'https://api.whatsonchain.com/v1/bsv/main' },
  testnet: { arcUrl: 'https://testnet.arc.gorillapool.io', wocUrl: 'https://api.whatsonchain.com/v1/bsv/test' },
};

/** A fee policy this old is asked for again before it is used. Asking also shows that the network is there. */
const POLICY_LIFE_MS = 60_000;

/** What a service says of its network. On the public networks the wallet keeps to its own presets. */
export async function askService(serviceUrl: string): Promise<NetworkInfo> {
  const answer = await send(`${serviceUrl}/api/v2/network`, { unreachable: 'service-unavailable', maxBytes: 10_000 });
  const parsed = networkResponse.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !parsed.success) throw new ServiceError('service-unavailable');
  const { network, arcUrl, wocUrl } = parsed.data;
  const urls = network === 'devnet' ? { arcUrl, wocUrl } : PRESETS[network];
  return { network, serviceUrl, ...urls, rate: null, policyTime: 0 };
}

/**
 * The network's services, as the service told when it was first asked.
 * @throws ServiceError `service-unavailable` (never asked with success), `wrong-network`
 */
export async function networkInfo(): Promise<NetworkInfo> {
  const settings = await readSettings();
  const stored = await readKey('network');
  if (stored && stored.serviceUrl === settings.serviceUrl && stored.network === settings.network) return stored;
  const asked = await askService(settings.serviceUrl);
  if (asked.network !== settings.network) throw new ServiceError('wrong-network');
  await writeKey('network', asked);
  return asked;
}

/**
 * The network's price now.
 * @throws ServiceError `network-unavailable`
 */
export async function feeRate(): Promise<FeeRate> {
  const info = await networkInfo();
  if (info.rate && Date.now() - info.policyTime < POLICY_LIFE_MS) return info.rate;
  const rate = await fetchPolicy(info.arcUrl);
  await writeKey('network', { ...info, rate, policyTime: Date.now() });
  return rate;
}
