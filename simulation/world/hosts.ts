/**
 * Simulated https hosts: two paymail hosts, the wallet's DNS resolvers, and a shop's service. One paymail host accepts
 * raw transactions at its own domain, and the other accepts BEEF at the target of a signed SRV record.
 */
import { Transaction as Envelope } from '@bsv/sdk';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { CAPABILITIES, DISCOVERY_PATH } from '../../protocol/http/paymail.ts';
import { parseTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { Request } from './platform.ts';
import type { Random } from '../random.ts';

/** The origin of the shop's service. */
export const SHOP = 'https://shop.example';
export const PAYMAIL_HOSTS = [
  { domain: 'raw.example', origin: 'https://raw.example' },
  { domain: 'beef.example', origin: 'https://bsvalias.example' },
] as const;
const [RAW, BEEF] = PAYMAIL_HOSTS;

/** A target of faults: discovery (DNS, capabilities, keys, profiles), destinations, deliveries, or the shop. */
export type HostTarget = 'names' | 'destinations' | 'deliveries' | 'shop';
/**
 * A paymail host's fault during one request, in addition to network faults. The host issues scripts for a different
 * amount, permanently rejects a transaction, acknowledges a different transaction, or sends an invalid response.
 */
export type HostFault = 'another amount' | 'declines' | 'another transaction' | 'nonsense';

/** An issued script (hex) with its amount in satoshis, paymail and reference. */
export interface IssuedScript {
  origin: string;
  to: string;
  reference: string;
  script: string;
  satoshis: bigint;
}

/** The public key of all paymails: the curve's generator. */
const HOST_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const PUBLIC_ADDRESS = '93.184.216.34';
const RESOLVERS = ['https://cloudflare-dns.com', 'https://dns.google'];
const TYPES: Record<string, number> = { A: 1, AAAA: 28, SRV: 33 };

/** A response: status (default 200) and JSON body. */
interface Said {
  status?: number;
  body?: unknown;
}

export class Hosts {
  /** Issued scripts, by locking script. */
  readonly given = new Map<string, IssuedScript>();
  readonly taken = new Map<string, string>();
  /** References of permanently rejected deliveries. */
  readonly declined = new Set<string>();
  /** Payments reported to the shop, by payment ID. */
  readonly reports = new Map<string, unknown>();
  /** Handles requests to the shop in its role as an account's service. */
  ofService: (path: string, body: string) => Said | null = () => null;
  /** Called for each transaction that the shop receives in an account's report, even if it doesn't pay the shop. */
  onAccountReport: (txid: string) => void = () => undefined;
  /** Called for each transaction received by a paymail host, or by the shop (`handed` is null). */
  onHanded: (
    transaction: Transaction,
    txid: string,
    handed: Pick<IssuedScript, 'origin' | 'to' | 'reference'> | null,
  ) => void = () => undefined;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns the scripts issued under one reference. */
  givenFor(reference: string): IssuedScript[] {
    return [...this.given.values()].filter((one) => one.reference === reference);
  }

  targetOf(url: string): HostTarget {
    if (url.startsWith(`${SHOP}/`)) return 'shop';
    const { pathname } = new URL(url);
    if (/^\/(?:destination|ordinal)\//.test(pathname)) return 'destinations';
    return /^\/(?:receive|take)\//.test(pathname) ? 'deliveries' : 'names';
  }

  answer(
    { url, body, isOfAccount }: Pick<Request, 'url' | 'body' | 'isOfAccount'>,
    fault: HostFault | null,
  ): { status: number; text: string } {
    const { origin, pathname, searchParams } = new URL(url);
    const said = RESOLVERS.includes(origin)
      ? this.#ofName(searchParams.get('name') ?? '', searchParams.get('type') ?? '')
      : origin === SHOP
        ? this.#ofShop(pathname, body, isOfAccount)
        : this.#ofHost(origin, pathname, body, fault);
    const { status = 200, body: answer }: Said = fault === 'nonsense' ? { body: { outputs: 7 } } : said;
    return { status, text: JSON.stringify(answer ?? null) };
  }

  #ofName(name: string, type: string): Said {
    const domains: string[] = [...PAYMAIL_HOSTS.map(({ origin }) => origin), SHOP].map((one) => new URL(one).hostname);
    const isThere = domains.includes(name);
    const data =
      name === `_bsvalias._tcp.${BEEF.domain}` && type === 'SRV'
        ? [`10 10 443 ${new URL(BEEF.origin).hostname}.`]
        : isThere && type === 'A'
          ? [PUBLIC_ADDRESS]
          : [];
    return {
      body: {
        Status: isThere || data.length > 0 ? 0 : 3,
        AD: true,
        Answer: data.map((one) => ({ name, type: TYPES[type], TTL: 60, data: one })),
      },
    };
  }

  #ofShop(path: string, body: string, isOfAccount: boolean): Said {
    if (path === '/api/v2/payments') {
      const { rawtx } = JSON.parse(body) as { rawtx: string };
      if (isOfAccount) this.onAccountReport(txidOf(fromHex(rawtx)));
      else this.onHanded(parseTransaction(fromHex(rawtx)), txidOf(fromHex(rawtx)), null);
    }
    return this.ofService(path, body) ?? { status: 404 };
  }

  #ofHost(origin: string, path: string, body: string, fault: HostFault | null): Said {
    const host = PAYMAIL_HOSTS.find((one) => one.origin === origin);
    if (!host) return { status: 404 };
    const [, part, handle = ''] = path.split('/');
    const to = decodeURIComponent(handle);
    if (path === DISCOVERY_PATH) return { body: { bsvalias: '1.0', capabilities: capabilitiesOf(origin) } };
    if (part === 'pki') return { body: { bsvalias: '1.0', handle: to, pubkey: HOST_KEY } };
    if (part === 'profile') return { body: { name: to.split('@')[0], avatar: `${origin}/face.png` } };
    if (part === 'destination') {
      const { satoshis } = JSON.parse(body) as { satoshis: number };
      return { body: this.#give({ origin, to }, satoshis, fault === 'another amount') };
    }
    if (part === 'ordinal') return { body: this.#give({ origin, to }, 1, fault === 'another amount') };
    if (part === 'receive' || part === 'take') return this.#take({ origin, to }, body, fault);
    return { status: 404 };
  }

  /** Issues scripts that split an amount at random. @param isWrong changes the amount */
  #give(whose: Pick<IssuedScript, 'origin' | 'to'>, satoshis: number, isWrong: boolean): object {
    const reference = `reference-${this.#random.below(2 ** 31)}`;
    const parts = Math.min(this.#random.between(1, 3), satoshis);
    const outputs = Array.from({ length: parts }, (_, i) => ({
      script: toHex(p2pkhScript(this.#random.bytes(20))),
      satoshis: Math.floor(satoshis / parts) + (i === 0 ? satoshis % parts : 0),
    }));
    if (isWrong) return { outputs: [{ ...outputs[0], satoshis: satoshis + 1 }], reference };
    for (const output of outputs)
      this.given.set(output.script, { ...whose, reference, script: output.script, satoshis: BigInt(output.satoshis) });
    return { outputs, reference };
  }

  #take(whose: Pick<IssuedScript, 'origin' | 'to'>, body: string, fault: HostFault | null): Said {
    const { hex, beef, reference } = JSON.parse(body) as { hex?: string; beef?: string; reference: string };
    if ((whose.origin === RAW.origin ? hex : beef) === undefined) return { status: 404 };
    const bytes = beef === undefined ? fromHex(hex ?? '') : Envelope.fromBEEF([...fromHex(beef)]).toUint8Array();
    const txid = txidOf(bytes);
    this.onHanded(parseTransaction(bytes), txid, { ...whose, reference });
    if (fault === 'another transaction') return { body: { txid: toHex(this.#random.bytes(32)) } };
    if (fault === 'declines') {
      this.declined.add(reference);
      return { status: 410, body: { error: 'not wanted' } };
    }
    this.taken.set(reference, txid);
    return { body: { txid } };
  }
}

function capabilitiesOf(origin: string): Record<string, string> {
  const at = (part: string) => `${origin}/${part}/{alias}@{domain.tld}`;
  return {
    [CAPABILITIES.pki]: at('pki'),
    [CAPABILITIES.publicProfile]: at('profile'),
    [CAPABILITIES.p2pDestination]: at('destination'),
    // Only one of the hosts supports tokens and ordinals.
    ...(origin === RAW.origin && {
      [CAPABILITIES.ordinalDestination]: at('ordinal'),
      [CAPABILITIES.receiveOrdinal]: at('take'),
    }),
    [origin === RAW.origin ? CAPABILITIES.receiveTransaction : CAPABILITIES.receiveBeef]: at('receive'),
  };
}
