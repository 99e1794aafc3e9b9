/** The server's settings, read from environment variables and validated at startup. */
import * as z from 'zod/mini';
import { NETWORKS, type Network } from '../protocol/bitcoin/address.ts';
import { isLoopbackHost } from '../protocol/text/web-address.ts';
import {
  apiKey,
  databaseUrl,
  domain,
  limits,
  onOrOff,
  origin,
  proxies,
  storePage,
  webUrl,
  webUrls,
  whole,
} from './setting-formats.ts';

/** Settings that don't depend on the port on which the server listens. */
export interface Config {
  network: Network;
  /** 0 selects any free port. */
  port: number;
  host: string;
  /** The service's public origin; null for `http://localhost:<port>`. */
  baseUrl: string | null;
  dataDirectory: string;
  /** PostgreSQL's URL, a secret; null to start our own server. */
  databaseUrl: string | null;
  /** Max connections from this process to PostgreSQL. */
  databasePool: number;
  /** Network operators in order of preference; null for the network's defaults. */
  arcUrls: readonly string[] | null;
  /** Bearer token for the first operator, a secret that is never sent to other operators. */
  arcKey: string | null;
  wocUrl: string | null;
  /** WhatsOnChain's API key, sent in `Authorization`; a secret. */
  wocKey: string | null;
  /** Base URL of a CoinGecko-compatible API for the price of BSV. Unused on devnet, whose rates are fixed. */
  ratesUrl: string;
  /** API key for rates, a secret. */
  ratesKey: string | null;
  paymailDomain: string | null;
  /** Interval between devnet's blocks (ms); 0 mines only on demand. */
  blockIntervalMs: number;
  logLevel: (typeof LOG_LEVELS)[number];
  /** IP addresses and networks of trusted proxies, whose `X-Forwarded-For` determines `request.ip`. */
  trustedProxies: readonly string[];
  /** Multiplies all rate limits; null disables them. */
  rateLimitFactor: number | null;
  /** True if webhooks may use http URLs, and private and loopback addresses. */
  webhooksAllowPrivate: boolean;
  /** Bearer token for /metrics, a secret; null disables /metrics. */
  metricsToken: string | null;
  /** URLs of the wallet in the Chrome and Firefox stores; null to offer this service's download. */
  walletStores: { chrome: string | null; firefox: string | null };
}

/** Public URLs of the service and the network, without trailing slashes. */
export interface Addresses {
  baseUrl: string;
  /** True if browsers use https to reach the service. */
  secure: boolean;
  /** Base URL of the first operator's ARC API, without `/v1`. */
  arcUrl: string;
  /** Base URLs of the other operators, in order of preference. */
  otherArcUrls: readonly string[];
  /** Base URL of WhatsOnChain's API, with `/v1/bsv/{main|test}`. */
  wocUrl: string;
  /** Base URL of a chaintracks API, another source of block headers for wallets. Unused by the service itself. */
  headersUrl: string;
  /** URL from which the service fetches the price of BSV. Wallets get the rates, not this URL. */
  ratesUrl: string;
  /** Contains a port only for loopback names, to distinguish several services on one machine. */
  paymailDomain: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Operators that don't require a key, the same as in the wallet. */
const PRESETS = {
  mainnet: {
    arcUrls: [
      'https://arc.gorillapool.io',
      'https://arcade-v2-us-1.bsvblockchain.tech',
      'https://arcade-us-1.bsvb.tech',
      'https://arcade.gorillapool.io',
    ],
    wocUrl: 'https://api.whatsonchain.com/v1/bsv/main',
    headersUrl: 'https://arcade-v2-us-1.bsvblockchain.tech/chaintracks',
  },
  testnet: {
    arcUrls: [
      'https://testnet.arc.gorillapool.io',
      'https://arcade-v2-testnet-us-1.bsvblockchain.tech',
      'https://testnet.arcade.gorillapool.io',
    ],
    wocUrl: 'https://api.whatsonchain.com/v1/bsv/test',
    headersUrl: 'https://arcade-v2-testnet-us-1.bsvblockchain.tech/chaintracks',
  },
} as const;

/** An invalid environment. `problems` has one line per problem, without values, because they could be secrets. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const schema = z.object({
  NETWORK: z.enum(NETWORKS, `must be one of ${NETWORKS.join(', ')}`),
  PORT: whole(0, 65_535),
  HOST: z.string(),
  BASE_URL: z.optional(origin),
  DATA_DIR: z.string(),
  DATABASE_URL: z.optional(databaseUrl),
  ARC_URL: z.optional(webUrls),
  ARC_KEY: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{1,500}$/, 'must be 1 to 500 visible ASCII characters'))),
  WOC_URL: z.optional(webUrl),
  WOC_KEY: z.optional(apiKey),
  RATES_URL: webUrl,
  RATES_KEY: z.optional(apiKey),
  PAYMAIL_DOMAIN: z.optional(domain),
  BLOCK_INTERVAL_MS: whole(0, 86_400_000),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`),
  DATABASE_POOL: whole(2, 1_000),
  TRUSTED_PROXIES: z.optional(proxies),
  RATE_LIMITS: limits,
  WEBHOOKS_ALLOW_PRIVATE: z.optional(onOrOff),
  WALLET_STORE_URL_CHROME: z.optional(storePage),
  WALLET_STORE_URL_FIREFOX: z.optional(storePage),
  METRICS_TOKEN: z.optional(
    z
      .string()
      .check(z.regex(/^[A-Za-z0-9._~+/=-]{16,200}$/, 'must be 16 to 200 letters, digits or any of . _ ~ + / = -')),
  ),
});

export const VARIABLES = Object.keys(schema.shape);

export const DEFAULTS: Readonly<Record<string, string>> = {
  NETWORK: 'devnet',
  PORT: '3000',
  HOST: '127.0.0.1',
  DATA_DIR: './data',
  RATES_URL: 'https://api.coingecko.com/api/v3',
  BLOCK_INTERVAL_MS: '5000',
  LOG_LEVEL: 'info',
  DATABASE_POOL: '10',
  RATE_LIMITS: 'on',
};

const trimmed = (url: string) => url.replace(/\/+$/, '');

/** Reads the environment. Empty variables are treated as unset. @throws ConfigError with one line per problem */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const read = schema.safeParse({ ...DEFAULTS, ...present });
  if (!read.success)
    throw new ConfigError(read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  const values = read.data;
  const base = new URL(values.BASE_URL ?? 'http://localhost');
  if (values.NETWORK === 'mainnet' && base.protocol !== 'https:' && !isLoopbackHost(base.hostname)) {
    throw new ConfigError(['BASE_URL must be https on mainnet, unless it is this machine']);
  }
  return {
    network: values.NETWORK,
    port: values.PORT,
    host: values.HOST,
    baseUrl: values.BASE_URL === undefined ? null : new URL(values.BASE_URL).origin,
    dataDirectory: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    arcUrls: values.ARC_URL?.map(trimmed) ?? null,
    arcKey: values.ARC_KEY ?? null,
    wocUrl: values.WOC_URL === undefined ? null : trimmed(values.WOC_URL),
    wocKey: values.WOC_KEY ?? null,
    ratesUrl: trimmed(values.RATES_URL),
    ratesKey: values.RATES_KEY ?? null,
    paymailDomain: values.PAYMAIL_DOMAIN ?? null,
    blockIntervalMs: values.BLOCK_INTERVAL_MS,
    logLevel: values.LOG_LEVEL,
    databasePool: values.DATABASE_POOL,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    rateLimitFactor: values.RATE_LIMITS,
    // Developers run their webhook receivers on the same machine.
    webhooksAllowPrivate:
      values.WEBHOOKS_ALLOW_PRIVATE ?? (values.NETWORK === 'devnet' && isLoopbackHost(base.hostname)),
    metricsToken: values.METRICS_TOKEN ?? null,
    walletStores: {
      chrome: values.WALLET_STORE_URL_CHROME === undefined ? null : new URL(values.WALLET_STORE_URL_CHROME).href,
      firefox: values.WALLET_STORE_URL_FIREFOX === undefined ? null : new URL(values.WALLET_STORE_URL_FIREFOX).href,
    },
  };
}

/** Completes the settings once the port is known. No setting ever comes from a request. */
export function addressesOf(config: Config, port: number): Addresses {
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`;
  const preset =
    config.network === 'devnet'
      ? {
          arcUrls: [`${baseUrl}/devnet/arc`],
          wocUrl: `${baseUrl}/devnet/woc/v1/bsv/test`,
          headersUrl: `${baseUrl}/devnet/chaintracks`,
        }
      : PRESETS[config.network];
  const [arcUrl = '', ...otherArcUrls] = config.arcUrls ?? preset.arcUrls;
  return {
    baseUrl,
    secure: baseUrl.startsWith('https:'),
    arcUrl,
    otherArcUrls,
    wocUrl: config.wocUrl ?? preset.wocUrl,
    headersUrl: preset.headersUrl,
    ratesUrl: config.ratesUrl,
    paymailDomain: config.paymailDomain ?? new URL(baseUrl).hostname,
  };
}
