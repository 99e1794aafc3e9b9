import { networkResponse } from '../../protocol/http/api.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { Failure } from '../../protocol/network/broadcaster/operators.ts';
import type { NetworkChoice, OperatorView, Settings } from '../../protocol/messages/wallet-messages.ts';
import { changeKey, readKey } from '../store/database.ts';
import { isReachableLoopback, readSettings, writeSettings } from '../settings.ts';
import type { FeeRate } from '../transaction/plan.ts';
import { operatorFailures, fetchPolicy, forgetFailure, operatorAt } from './operators.ts';
import { hasOperatorKey, storeOperatorKeys } from './operator-keys.ts';
import { parseJson, send } from './http.ts';
import { chainName } from './whats-on-chain.ts';
import type { NetworkInfo } from './network-info.ts';
import type { Wallet } from '../platform.ts';

type Addresses = Pick<NetworkInfo, 'arcUrl' | 'wocUrl'>;

/** Block header sources: Arcade's Chaintracks API. On a devnet, the service reports the URL. */
const HEADERS: Record<Network, string | undefined> = {
  mainnet: 'https://arcade-v2-us-1.bsvblockchain.tech/chaintracks',
  testnet: 'https://arcade-v2-testnet-us-1.bsvblockchain.tech/chaintracks',
  devnet: undefined,
};

const PRESETS: Record<Network, Addresses | null> = {
  mainnet: { arcUrl: 'https://arc.gorillapool.io', wocUrl: 'https://api.whatsonchain.com/v1/bsv/main' },
  testnet: { arcUrl: 'https://testnet.arc.gorillapool.io', wocUrl: 'https://api.whatsonchain.com/v1/bsv/test' },
  // A devnet has no fixed URLs. Its service reports them.
  devnet: null,
};

/** Fallback operators that need no key: Arcade servers, most of them run by different companies. */
const OTHER_OPERATORS: Record<Network, readonly string[]> = {
  mainnet: [
    'https://arcade-v2-us-1.bsvblockchain.tech',
    'https://arcade-us-1.bsvb.tech',
    'https://arcade.gorillapool.io',
  ],
  testnet: ['https://arcade-v2-testnet-us-1.bsvblockchain.tech', 'https://testnet.arcade.gorillapool.io'],
  devnet: [],
};

/** WhatsOnChain's network names. A devnet's ledger uses the test network's name. */
const CHAIN_NAMES: Record<Network, string> = { mainnet: 'main', testnet: 'test', devnet: 'test' };

/**
 * Age at which a fee policy must be requested again before use (milliseconds). The request also tests the connection.
 */
const POLICY_LIFE_MS = 60_000;

/** Replaces a reported rate of zero. Without a fee, an asset's transfer spends no coin that could be used to cancel it. */
const LEAST_RATE: FeeRate = { satoshis: 1, bytes: 1000 };
/**
 * The minimum rate for transactions that can't be replaced: the relay minimum of most nodes. If an operator reported a
 * lower rate, and others rejected the transaction, its money would be blocked.
 */
const FINAL_RATE: FeeRate = { satoshis: 100, bytes: 1000 };

/**
 * Requests the description of a service's network. On public networks, the wallet uses its presets instead.
 * @throws ServiceError `service-unavailable`, `not-a-service`
 */
export async function fetchNetworkInfo(wallet: Wallet, serviceUrl: string): Promise<NetworkInfo> {
  const answer = await send(wallet, `${serviceUrl}/api/v2/network`, {
    unreachable: 'service-unavailable',
    maxBytes: 10_000,
  });
  const parsed = networkResponse.safeParse(parseJson(answer.text));
  if (answer.status >= 500 || answer.status === 429) throw new ServiceError('service-unavailable');
  if (answer.status !== 200 || !parsed.success) throw new ServiceError('not-a-service');
  const { network, arcUrl, wocUrl, headersUrl } = parsed.data;
  const own = { arcUrl, wocUrl, ...(headersUrl !== undefined && { headersUrl }) };
  return { network, serviceUrl, ...(PRESETS[network] ?? own) };
}

/** Stores the network reported by a service. */
export async function storeReported(wallet: Wallet, told: NetworkInfo): Promise<void> {
  await changeKey(wallet, 'network', (stored) => ({ ...stored, reported: told }));
}

/**
 * Returns the network's URLs: the user's own if set, otherwise the network's presets or, on a devnet, those reported by
 * its service. Public networks need no service.
 * @throws ServiceError `service-unavailable` (the service never responded), `wrong-network`
 */
export async function networkInfo(wallet: Wallet): Promise<NetworkInfo> {
  return located(wallet, await readSettings(wallet));
}

async function located(
  wallet: Wallet,
  { network, serviceUrl, arcUrl, wocUrl }: Pick<Settings, 'network' | 'serviceUrl' | 'arcUrl' | 'wocUrl'>,
): Promise<NetworkInfo> {
  const given = { arcUrl: arcUrl ?? PRESETS[network]?.arcUrl, wocUrl: wocUrl ?? PRESETS[network]?.wocUrl };
  const told =
    given.arcUrl === undefined || given.wocUrl === undefined ? await toldBy(wallet, serviceUrl, network) : null;
  const arc = given.arcUrl ?? (told as NetworkInfo).arcUrl;
  const headersUrl = HEADERS[network] ?? told?.headersUrl;
  return {
    network,
    serviceUrl,
    arcUrl: arc,
    wocUrl: given.wocUrl ?? (told as NetworkInfo).wocUrl,
    otherArcUrls: (await arcsOf(wallet, network)).filter((url) => url !== arc),
    ...(headersUrl !== undefined && { headersUrl }),
  };
}

/** Returns the operators of a network: its presets or, on a devnet, the operator its service last reported. */
async function arcsOf(wallet: Wallet, network: Network): Promise<string[]> {
  const preset = PRESETS[network] ?? (await readKey(wallet, 'network'))?.reported;
  return [...(preset ? [preset.arcUrl] : []), ...OTHER_OPERATORS[network]];
}

async function toldBy(wallet: Wallet, serviceUrl: string, network: Network): Promise<NetworkInfo> {
  const told = (await readKey(wallet, 'network'))?.reported;
  if (told?.serviceUrl === serviceUrl && told.network === network) return told;
  const asked = await fetchNetworkInfo(wallet, serviceUrl);
  if (asked.network !== network) throw new ServiceError('wrong-network');
  await storeReported(wallet, asked);
  return asked;
}

/**
 * Stores the network before the first wallet is created, because addresses depend on it. Uses the service's network
 * unless the user has chosen one.
 * @throws ServiceError `service-unavailable` or `not-a-service`, after which the user must choose a network
 */
export async function settleNetwork(wallet: Wallet): Promise<void> {
  if ((await readKey(wallet, 'settings'))?.network !== undefined || (await readKey(wallet, 'vault'))) return;
  const told = await fetchNetworkInfo(wallet, (await readSettings(wallet)).serviceUrl);
  await storeReported(wallet, told);
  await writeSettings(wallet, { network: told.network });
}

/** Returns the wallet's network and URLs, for the user interface. */
export async function readNetwork(wallet: Wallet): Promise<NetworkChoice> {
  const { network, arcUrl, wocUrl } = await readSettings(wallet);
  const preset = PRESETS[network];
  const indexUrl = wocUrl ?? preset?.wocUrl ?? (await readKey(wallet, 'network'))?.reported?.wocUrl;
  const urls = new Set([...(arcUrl === null ? [] : [arcUrl]), ...(await arcsOf(wallet, network))]);
  return {
    network,
    arcUrl,
    wocUrl,
    operators: await Promise.all([...urls].map((url) => operatorView(wallet, url))),
    hasIndexKey: indexUrl !== undefined && (await hasOperatorKey(wallet, indexUrl)),
    preset,
    fromService: preset === null && (arcUrl === null || wocUrl === null),
  };
}

async function operatorView(wallet: Wallet, url: string): Promise<OperatorView> {
  const dialect = (await readKey(wallet, 'network'))?.dialects?.[url] ?? null;
  const failure = (await operatorFailures(wallet)).get(url);
  return { url, dialect, hasKey: await hasOperatorKey(wallet, url), failure: failure ? failureView(failure) : null };
}

function failureView({ needsKey, isAsked, until }: Failure): OperatorView['failure'] {
  return { kind: needsKey ? 'key' : isAsked ? 'wait' : 'failed', until };
}

/**
 * Checks a network chosen by the user and the URLs of its two APIs (null: the network's own), both of which must
 * respond. This way, a wallet can be restored even if its service no longer exists. Stores only the APIs' keys.
 * @returns the settings to store
 * @throws ServiceError `wrong-network` (a wallet exists on another network, or the URLs are for a different chain),
 * `invalid-request` (not an API URL), `network-unavailable`, `service-unavailable` (only the service knows the URLs),
 * `wallet-locked` (a key was passed)
 */
export async function checkNetwork(
  wallet: Wallet,
  chosen: Pick<NetworkChoice, 'network' | 'arcUrl' | 'wocUrl'> & {
    arcKey?: string | null | undefined;
    wocKey?: string | null | undefined;
  },
): Promise<Pick<Settings, 'network' | 'arcUrl' | 'wocUrl'>> {
  const choice = { network: chosen.network, arcUrl: baseOf(chosen.arcUrl), wocUrl: baseOf(chosen.wocUrl) };
  const settings = await readSettings(wallet);
  if ((await readKey(wallet, 'vault')) && settings.network !== choice.network) throw new ServiceError('wrong-network');
  const { arcUrl, wocUrl } = await located(wallet, { ...settings, ...choice });
  const [, chain] = await Promise.all([
    operatorAt(wallet, arcUrl, chosen.arcKey).then((operator) => operator.policy()),
    chainName(wallet, wocUrl, chosen.wocKey),
  ]);
  if (chain !== null && chain !== CHAIN_NAMES[choice.network]) {
    throw new ServiceError('wrong-network', { message: 'These addresses belong to a different network.' });
  }
  const { arcKey, wocKey } = chosen;
  if (arcKey !== undefined || wocKey !== undefined)
    await storeOperatorKeys(wallet, { [arcUrl]: arcKey, [wocUrl]: wocKey });
  await forgetFailure(wallet, arcUrl);
  return choice;
}

/**
 * Normalizes an API base URL: scheme, host and path, without a trailing slash. Plain HTTP is allowed only for a server
 * on this computer.
 * @throws ServiceError `invalid-request`
 */
export function baseOf(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    !url ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && isReachableLoopback(url.hostname))) ||
    url.username ||
    url.password ||
    /[?#]/.test(text)
  ) {
    throw new ServiceError('invalid-request', {
      message: 'A network address must start with https:// and can’t contain a user, question mark or number sign.',
    });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Returns the network's current fee rate, which isn't zero. @throws ServiceError `network-unavailable` */
export async function feeRate(wallet: Wallet): Promise<FeeRate> {
  const rate = await reportedRate(wallet);
  return rate.satoshis === 0 ? LEAST_RATE : rate;
}

/**
 * Returns the fee rate for a transaction that can't be replaced, because its inputs aren't the wallet's coins.
 * @throws ServiceError `network-unavailable`
 */
export async function finalFeeRate(wallet: Wallet): Promise<FeeRate> {
  const rate = await reportedRate(wallet);
  return rate.satoshis * FINAL_RATE.bytes < FINAL_RATE.satoshis * rate.bytes ? FINAL_RATE : rate;
}

async function reportedRate(wallet: Wallet): Promise<FeeRate> {
  const info = await networkInfo(wallet);
  const { arcUrl } = info;
  const policy = (await readKey(wallet, 'network'))?.policy;
  if (policy?.arcUrl === arcUrl && Math.abs(wallet.now() - policy.time) < POLICY_LIFE_MS) return policy.rate;
  const rate = await fetchPolicy(wallet, info);
  await changeKey(wallet, 'network', (stored) => ({ ...stored, policy: { arcUrl, rate, time: wallet.now() } }));
  return rate;
}
