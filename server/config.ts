/** The server's settings, read from environment variables once and checked before anything starts. */
import * as z from 'zod/mini';
import { NETWORKS, type Network } from '../protocol/address.ts';

/** Settings that do not depend on the port that is in the end listened on. */
export interface Config {
  network: Network;
  /** 0 takes any free port. */
  port: number;
  /** The address to listen on. */
  host: string;
  /** The origin that people and wallets know the service by; null means `http://localhost:<port>`. */
  baseUrl: string | null;
  dataDirectory: string;
  /** PostgreSQL's URL, a secret; null means the embedded database. */
  databaseUrl: string | null;
  arcUrl: string | null;
  wocUrl: string | null;
  /** Base of the API, CoinGecko's or alike, that tells what BSV costs; of no use on devnet, whose rates are fixed. */
  ratesUrl: string;
  paymailDomain: string | null;
  /** How often devnet makes a block; 0 only on demand. */
  blockIntervalMs: number;
  logLevel: (typeof LOG_LEVELS)[number];
}

/** What the service tells others about where it is, and where it finds the network. All URLs without a slash at the end. */
export interface Addresses {
  baseUrl: string;
  /** True where browsers reach the service by https. */
  secure: boolean;
  /** Base of ARC's interface, without `/v1`. */
  arcUrl: string;
  /** Base of WhatsOnChain's interface, with `/v1/bsv/{main|test}`. */
  wocUrl: string;
  /** Where the service itself asks what BSV costs. Wallets are told the answers, not the address. */
  ratesUrl: string;
  paymailDomain: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const PRESETS = {
  mainnet: { arcUrl: 'https://arc.gorillapool.io', wocUrl: 'https://api.whatsonchain.com/v1/bsv/main' },
  testnet: { arcUrl: 'https://testnet.arc.gorillapool.io', wocUrl: 'https://api.whatsonchain.com/v1/bsv/test' },
} as const;

/** The environment cannot be used. `problems` has one line each; no line repeats a value, since values may be secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const isWeb = (url: URL | null): url is URL => url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
const whole = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)),
    z.pipe(z.transform(Number), z.number().check(z.minimum(least, `must be a whole number from ${least} to ${most}`), z.maximum(most, `must be a whole number from ${least} to ${most}`))),
  );
const webUrl = z.string().check(z.refine((text) => isWeb(urlOf(text)) && !/[?#]/.test(text), 'must be an http or https URL without user, query or fragment'));
const origin = z.string().check(z.refine((text) => {
  const url = urlOf(text);
  return isWeb(url) && url.pathname === '/' && !/[?#]/.test(text);
}, 'must be an http or https URL without a path, like https://pay.example.com'));
const domain = z.string().check(z.regex(/^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/, 'must be a domain name in lower case, without a port'));

const schema = z.object({
  NETWORK: z.enum(NETWORKS, `must be one of ${NETWORKS.join(', ')}`),
  PORT: whole(0, 65_535),
  HOST: z.string(),
  BASE_URL: z.optional(origin),
  DATA_DIR: z.string(),
  DATABASE_URL: z.optional(z.string().check(z.refine((text) => /^postgres(?:ql)?:$/.test(urlOf(text)?.protocol ?? ''), 'must be a URL that begins with postgresql://'))),
  ARC_URL: z.optional(webUrl),
  WOC_URL: z.optional(webUrl),
  RATES_URL: webUrl,
  PAYMAIL_DOMAIN: z.optional(domain),
  BLOCK_INTERVAL_MS: whole(0, 86_400_000),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`),
});

const DEFAULTS = { NETWORK: 'devnet', PORT: '3000', HOST: '127.0.0.1', DATA_DIR: './data', RATES_URL: 'https://api.coingecko.com/api/v3', BLOCK_INTERVAL_MS: '5000', LOG_LEVEL: 'info' };

const trimmed = (url: string) => url.replace(/\/+$/, '');

/**
 * Reads the environment. A variable that is set to nothing counts as unset.
 * @throws ConfigError with one line per problem
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.keys(schema.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const read = schema.safeParse({ ...DEFAULTS, ...present });
  if (!read.success) throw new ConfigError(read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  const values = read.data;
  return {
    network: values.NETWORK,
    port: values.PORT,
    host: values.HOST,
    baseUrl: values.BASE_URL === undefined ? null : new URL(values.BASE_URL).origin,
    dataDirectory: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    arcUrl: values.ARC_URL === undefined ? null : trimmed(values.ARC_URL),
    wocUrl: values.WOC_URL === undefined ? null : trimmed(values.WOC_URL),
    ratesUrl: trimmed(values.RATES_URL),
    paymailDomain: values.PAYMAIL_DOMAIN ?? null,
    blockIntervalMs: values.BLOCK_INTERVAL_MS,
    logLevel: values.LOG_LEVEL,
  };
}

/** Completes the settings once the port is known. Nothing in here ever comes from a request. */
export function addressesOf(config: Config, port: number): Addresses {
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`;
  const preset = config.network === 'devnet'
    ? { arcUrl: `${baseUrl}/devnet/arc`, wocUrl: `${baseUrl}/devnet/woc/v1/bsv/test` }
    : PRESETS[config.network];
  return {
    baseUrl,
    secure: baseUrl.startsWith('https:'),
    arcUrl: config.arcUrl ?? preset.arcUrl,
    wocUrl: config.wocUrl ?? preset.wocUrl,
    ratesUrl: config.ratesUrl,
    paymailDomain: config.paymailDomain ?? new URL(baseUrl).hostname,
  };
}
