/** The contents of the popup's home page. */
import { ServiceError, toWireError, type WireError } from '../protocol/errors/service-error.ts';
import type { Overview, Settings } from '../protocol/messages/wallet-messages.ts';
import { networkInfo } from './chain/network.ts';
import { rateOrProblem } from './chain/rates.ts';
import { send, parseJson } from './chain/http.ts';
import { unusedAddress } from './coins/addresses/addresses.ts';
import { balance, countOneSatCoins } from './coins/coin-store.ts';
import { readKey, wasDiskFull, readTransaction, database } from './store/database.ts';
import { historyLeft, isHistoryCut } from './scan/history/history.ts';
import { reservedBySite } from './payments/set-aside.ts';
import { readProgress } from './scan/scan-progress.ts';
import { availableUpdate } from './service/release.ts';
import { readSettings } from './settings.ts';
import { storeFirstView } from './vault/session.ts';
import { publicKeys } from './vault/vault.ts';
import { lastProblem, refresh } from './scan/poll.ts';
import { lightUnfinished } from './payments/store.ts';
import type { Wallet } from './platform.ts';

/**
 * Returns the account, balance and receiving address for the popup's first view. Works even while locked or offline.
 */
export async function overview(wallet: Wallet): Promise<Overview> {
  const settings = await readSettings(wallet);
  const view = await readOverview(wallet, settings);
  await storeFirstView(wallet, { overview: view, settings });
  return view;
}

async function readOverview(wallet: Wallet, settings: Settings): Promise<Overview> {
  const { satoshis, unconfirmed } = await balance(wallet);
  const scan = await readProgress(wallet);
  const setAside = await reservedBySite(wallet);
  return {
    network: settings.network,
    account: (await readKey(wallet, 'account')) ?? null,
    satoshis: satoshis.toString(),
    unconfirmedSatoshis: unconfirmed.toString(),
    keptApart: await countOneSatCoins(wallet),
    ...(setAside.length > 0 && { setAside }),
    receiveAddress: (await unusedAddress(wallet, await publicKeys(wallet), settings.network, 'receive')).address,
    ...(await rateOrProblem(wallet, settings.currency)),
    scan: scan.done ? null : { addresses: scan.addresses, coins: scan.coins },
    unread: scan.unread?.count ?? 0,
    historyLeft: await historyLeft(wallet),
    ...((await isHistoryCut(wallet)) && { isHistoryCut: true }),
    crowded: scan.crowded?.length ?? 0,
    problem: wasDiskFull(wallet)
      ? toWireError(new ServiceError('disk-full'))
      : (lastProblem(wallet) ?? (await wrongProof(wallet))),
    update: await availableUpdate(wallet),
  };
}

/** Returns an error if an unfinished payment received an invalid proof; otherwise null. */
async function wrongProof(wallet: Wallet): Promise<WireError | null> {
  const unfinished = await lightUnfinished(wallet, readTransaction(await database(wallet)));
  return unfinished.some(
    ({ broadcast, confirmation }) => broadcast.problem === 'invalid-proof' || confirmation.problem === 'invalid-proof',
  )
    ? toWireError(new ServiceError('invalid-proof'))
    : null;
}

/**
 * Requests coins from the faucet of an embedded network. The network's service may differ from the wallet's.
 * @throws ServiceError `unsupported-method` (not on devnet, or not an embedded network's URL), `service-unavailable`
 */
export async function requestFaucetCoins(wallet: Wallet, satoshis: number): Promise<{ txid: string }> {
  const { network, arcUrl } = await networkInfo(wallet);
  if (network !== 'devnet' || !arcUrl.endsWith('/arc')) throw new ServiceError('unsupported-method');
  const { address } = await unusedAddress(wallet, await publicKeys(wallet), network, 'receive');
  const answer = await send(wallet, arcUrl.replace(/\/arc$/, '/faucet'), {
    json: { address, satoshis },
    unreachable: 'service-unavailable',
  });
  const body = parseJson(answer.text) as { txid?: unknown } | undefined;
  if (answer.status >= 300 || typeof body?.txid !== 'string') throw new ServiceError('service-unavailable');
  await refresh(wallet);
  return { txid: body.txid };
}
