/** Mock https hosts for a wallet: DNS resolvers and paymail hosts, each a local HTTP server. */
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { DISCOVERY_PATH } from '../../protocol/http/paymail.ts';
import { txidOf } from '../../protocol/bitcoin/transaction.ts';
import { answering, type FakeResponse, type RecordedRequest } from './answers.ts';
import type { Profile } from '../wallet/worker-run.ts';

export const PUBLIC_ADDRESS = '93.184.216.34';
/** The default public key of all paymails: the curve's generator. */
export const HOST_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const TYPES: Record<string, number> = { A: 1, AAAA: 28, SRV: 33 };

/** The result of a DNS query. */
export interface Records {
  Status?: number;
  AD?: boolean;
  data?: string[];
}

/** The mock DNS zone that both resolvers serve. */
export interface Names {
  /**
   * Records by name and type (`pay.example A`). Test hosts have a public address by default. Other names don't exist.
   */
  records: Map<string, Records>;
  /** Received queries (name and type), by resolver. */
  asked: { cloudflare: string[]; google: string[] };
  /** Overrides for all responses from one resolver. */
  instead: { cloudflare?: FakeResponse; google?: FakeResponse };
}

/** Starts both DNS resolvers for a profile. They stop when the test ends. */
export async function startNames(profile: Profile): Promise<Names> {
  const names: Names = { records: new Map(), asked: { cloudflare: [], google: [] }, instead: {} };
  const answer =
    (resolver: 'cloudflare' | 'google') =>
    ({ url, headers }: RecordedRequest): FakeResponse => {
      const query = new URL(url, 'http://resolver').searchParams;
      const [name, type] = [query.get('name') ?? '', query.get('type') ?? ''];
      names.asked[resolver].push(`${name} ${type}`);
      const other = names.instead[resolver];
      if (other) return other;
      if (headers.accept !== 'application/dns-json') return { status: 400 };
      const hasHost = [...profile.hosts.keys()].some((origin) => new URL(origin).hostname === name);
      const {
        Status = 0,
        AD = false,
        data = [],
      } = names.records.get(`${name} ${type}`) ??
      (hasHost ? { data: type === 'A' ? [PUBLIC_ADDRESS] : [] } : { Status: 3 });
      return { body: { Status, AD, Answer: data.map((one) => ({ name, type: TYPES[type], TTL: 60, data: one })) } };
    };
  profile.hosts.set('https://cloudflare-dns.com', (await answering(answer('cloudflare'))).url);
  profile.hosts.set('https://dns.google', (await answering(answer('google'))).url);
  return names;
}

/** A mock paymail host, configured by a test. */
export interface TestHost {
  origin: string;
  /** All requests, in order. */
  asked: RecordedRequest[];
  /** The capabilities in the discovery document, by key. */
  capabilities: Record<string, unknown>;
  /**
   * Overrides for responses, by the first segment of the path: `pki`, `profile`, `destination`, `p2p`, `receive`,
   * `ordinal`, `take`, `.well-known`.
   */
  instead: Map<string, FakeResponse>;
  /** Splits an amount into outputs. By default there is one output. */
  split: (satoshis: number) => number[];
  key: string;
  /** Number of issued destinations, each with its own script and reference. */
  given: number;
  /** Announces support for tokens and ordinals. The host handles these requests even if its support isn't announced. */
  takeOrdinals: () => void;
  /** Addresses issued for ordinals, and IDs of the transactions delivered for them. */
  ordinals: { addresses: string[]; taken: string[] };
}

/**
 * Starts a paymail host at an https origin, which stops when the test ends. All paymails on the host exist, except
 * `nobody`.
 */
export async function startHost(profile: Profile, origin = 'https://pay.example'): Promise<TestHost> {
  const at = (path: string) => `${origin}/${path}/{alias}@{domain.tld}`;
  const host: TestHost = {
    origin,
    asked: [],
    capabilities: {
      pki: at('pki'),
      f12f968c92d6: at('profile'),
      paymentDestination: at('destination'),
      '2a40af698840': at('p2p'),
      '5f1323cddf31': at('receive'),
    },
    instead: new Map(),
    split: (satoshis) => [satoshis],
    key: HOST_KEY,
    given: 0,
    takeOrdinals: () => Object.assign(host.capabilities, { cc2154bfa6a2: at('ordinal'), '2cc00c7f93c3': at('take') }),
    ordinals: { addresses: [], taken: [] },
  };
  const script = () => {
    host.given += 1;
    return `76a914${host.given.toString(16).padStart(40, '0')}88ac`;
  };
  const answers: Record<string, (asked: RecordedRequest, handle: string) => unknown> = {
    '.well-known': ({ url }) =>
      url === DISCOVERY_PATH ? { bsvalias: '1.0', capabilities: host.capabilities } : undefined,
    pki: (_, handle) => ({ bsvalias: '1.0', handle, pubkey: host.key }),
    profile: (_, handle) => ({ name: handle.split('@')[0]?.toUpperCase(), avatar: `${origin}/face.png` }),
    destination: () => ({ output: script() }),
    p2p: ({ body }) => ({
      outputs: host
        .split((JSON.parse(body) as { satoshis: number }).satoshis)
        .map((satoshis) => ({ script: script(), satoshis })),
      reference: `reference-${host.given}`,
    }),
    ordinal: () => {
      host.given += 1;
      const hash = crypto.getRandomValues(new Uint8Array(20));
      host.ordinals.addresses.push(writeAddress(hash, 'devnet'));
      return { outputs: [{ script: toHex(p2pkhScript(hash)) }], reference: `reference-${host.given}` };
    },
    take: ({ body }) => {
      const txid = txidOf(fromHex((JSON.parse(body) as { hex: string }).hex));
      host.ordinals.taken.push(txid);
      return { txid };
    },
  };
  const { url, asked } = await answering((question: RecordedRequest): FakeResponse => {
    const [, part = '', handle = ''] = question.url.split('/');
    const other = host.instead.get(part);
    if (other) return other;
    const body = handle.startsWith('nobody@') ? undefined : answers[part]?.(question, decodeURIComponent(handle));
    return body === undefined ? { status: 404, body: { error: 'not-found' } } : { body };
  });
  host.asked = asked;
  profile.hosts.set(origin, url);
  return host;
}
