/**
 * Simulates tokens and ordinals. A third party sends assets to the wallet, and the user sends them to another wallet.
 */
import { addressScript, p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { writeTokenScript, type Token } from '../../protocol/assets/bsv21/token.ts';
import { serializeTransaction, type TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { publicKeyHashes, publicKeysOf } from '../../wallet/keys/keys.ts';
import { seedOf } from '../../wallet/keys/mnemonic.ts';
import type { Browser } from './browser.ts';
import type { Command } from './commands.ts';
import type { Deal } from './deals.ts';
import type { Network } from './network.ts';
import type { Holdings } from './token-ledger.ts';
import { PASSWORD, type User } from './user.ts';

/** Recovery words of the wallet to which the user sends assets, from BIP 39's test vectors. */
const OTHER_WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const OTHER_KEYS = publicKeysOf(await seedOf(OTHER_WORDS));
/** Maximum number of attempts to refresh, because refreshes are rate-limited and can fail. */
const ATTEMPTS = 6;
/** The issuer's locking script. Transactions that spend the issuer's outputs bypass the nodes' signature check. */
const ISSUER = p2pkhScript(new Uint8Array(20).fill(9));
const SUPPLY = 1000n;

/** Returns the public key hash of one of the other wallet's receiving addresses. */
export const otherAddress = (number: number): Uint8Array =>
  publicKeyHashes(OTHER_KEYS, 'receive', [number])[0] as Uint8Array;

interface Surroundings {
  readonly browser: Browser;
  readonly network: Network;
  readonly user: User;
}

export class Assets {
  /** The assets listed after the last refresh. Null before the first refresh. */
  listed: Holdings | null = null;
  areUsed = false;
  readonly #world: Surroundings;
  /** The issuer's outputs that hold the undistributed units of each token. */
  readonly #issued: { id: string; txid: string; vout: number; units: bigint }[] = [];

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** Sends an asset from a third party to the wallet. @returns the transaction's ID */
  give({ kind, units, pick }: Extract<Command, { do: 'give asset' }>, address: string): string {
    const { network } = this.#world;
    this.areUsed = true;
    const lock = addressScript(address, 'devnet');
    if (kind === 'ordinal')
      return network.fund(writeInscription('text/plain', new Uint8Array([65 + (pick % 26)]), lock), 1);
    const of = (token: Token, script: Uint8Array) => writeTokenScript(token, script);
    const known = this.#issued.filter(({ txid, vout }) => network.index.isUnspent(`${txid}:${vout}`));
    let from = known[pick % Math.max(1, known.length + 1)];
    if (!from) {
      const txid = network.fund(of({ op: 'deploy+mint', amt: SUPPLY, dec: 0, sym: 'GOLD' }, ISSUER), 1);
      from = { id: `${txid}_0`, txid, vout: 0, units: SUPPLY };
      this.#issued.push(from);
    }
    const { id } = from;
    const amt = BigInt(units);
    const hold = (units: bigint, script: Uint8Array) => ({
      satoshis: 1n,
      lockingScript: of({ op: 'transfer', id, amt: units }, script),
    });
    // A false token claims units that its inputs don't hold.
    if (kind === 'false token') return this.#spend(network.fund(ISSUER, 1000), 0, [hold(amt, lock)]);
    const given = amt < from.units ? amt : from.units;
    const left = from.units - given;
    const txid = this.#spend(from.txid, from.vout, [hold(given, lock), ...(left > 0n ? [hold(left, ISSUER)] : [])]);
    if (left > 0n) this.#issued.push({ id, txid, vout: 1, units: left });
    return txid;
  }

  /** Spends one of the issuer's outputs. @returns the transaction's ID */
  #spend(from: string, vout: number, outputs: TransactionOutput[]): string {
    const { network } = this.#world;
    const inputs = [{ txid: from, vout, unlockingScript: new Uint8Array(2), sequence: 0xffffffff }];
    const txid = network.ledger.take(serializeTransaction({ version: 1, inputs, outputs, lockTime: 0 }));
    network.outside.add(txid);
    return txid;
  }

  /** Refreshes and lists the assets, as the user does on the assets page. */
  async open(browser: Browser = this.#world.browser): Promise<Holdings> {
    await browser.ask('popup', 'assets/refresh', {});
    const { tokens, ordinals } = await browser.ask('popup', 'assets/list', {});
    const listed = {
      tokens: Object.fromEntries(tokens.map(({ id, amount }) => [id, amount] as const).toSorted()),
      ordinals: ordinals.map(({ origin, outpoint }) => origin ?? outpoint).toSorted(),
    };
    if (browser === this.#world.browser) this.listed = listed;
    return listed;
  }

  /** Sends one of the listed assets, from two windows concurrently if the command requires it. */
  async send(deal: Deal, { pick, share, windows }: Extract<Command, { do: 'send asset' }>): Promise<void> {
    const { browser, network, user } = this.#world;
    const { tokens, ordinals } = await browser.ask('popup', 'assets/list', {});
    const all = [...tokens.filter(({ spendable }) => spendable !== '0'), ...ordinals];
    const chosen = all[pick % Math.max(1, all.length)];
    if (!chosen) return;
    const { to } = deal;
    const amount = 'id' in chosen ? `${Math.max(1, Math.floor(Number(chosen.spendable) * share))}` : '';
    const wanted = 'id' in chosen ? { token: chosen.id, amount } : { ordinal: chosen.outpoint };
    const { asset, feeSatoshis } = await browser.ask('popup', 'assets/quote', { asset: wanted, to });
    if (feeSatoshis === null || !asset || asset.type === 'mint') return;
    const { locked } = await browser.ask('popup', 'vault/status', {});
    if (locked) await browser.ask('popup', 'vault/unlock', { password: PASSWORD });
    const [txid = '', vout] = 'id' in chosen ? [] : chosen.outpoint.split('_');
    deal.asset =
      asset.type === 'token'
        ? { token: asset.id, units: BigInt(asset.units) }
        : network.tokens.heldAt(txid, Number(vout));
    deal.shown = { satoshis: 1n, fee: BigInt(feeSatoshis), total: 1n + BigInt(feeSatoshis) };
    deal.yes = 'said';
    const sent = asset.type === 'token' ? { token: asset.id, units: asset.units } : { ordinal: asset.outpoint };
    const pay = async () => {
      const { requestId } = deal;
      const { txid } = await browser.ask('popup', 'assets/send', { requestId, asset: sent, to, feeSatoshis });
      deal.yes = 'taken';
      deal.answer = { txid };
      deal.txid = txid;
    };
    await Promise.allSettled(Array.from({ length: windows }, () => user.persist(pay)));
  }

  /** Restores the other wallet in a new browser. @returns its assets */
  async listElsewhere(browser: Browser): Promise<Holdings> {
    await browser.ask('onboarding', 'vault/create', { words: OTHER_WORDS, password: PASSWORD, restored: true });
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await this.open(browser);
      } catch (error) {
        if (attempts === ATTEMPTS) throw error;
      }
    }
  }
}
