import { describe, expect, it } from 'vitest';
import { ConfigError, addressesOf, readConfig } from './config.ts';

const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('readConfig', () => {
  it('every setting has a default', () => {
    expect(readConfig({ NETWORK: '', UNRELATED: 'x' })).toEqual({
      network: 'devnet',
      port: 3000,
      host: '127.0.0.1',
      baseUrl: null,
      dataDirectory: './data',
      databaseUrl: null,
      arcUrls: null,
      arcKey: null,
      wocUrl: null,
      wocKey: null,
      ratesUrl: 'https://api.coingecko.com/api/v3',
      ratesKey: null,
      paymailDomain: null,
      blockIntervalMs: 5000,
      logLevel: 'info',
      databasePool: 10,
      trustedProxies: [],
      rateLimitFactor: 1,
      webhooksAllowPrivate: true,
      metricsToken: null,
      walletStores: { chrome: null, firefox: null },
    });
  });

  it('reports each problem on its own line, without the value', () => {
    const bad = {
      NETWORK: 'regtest',
      PORT: '65536',
      BASE_URL: 'https://a.example/path',
      DATABASE_URL: 'mysql://user:hunter2@host/db',
      ARC_URL: 'ftp://hunter2',
      WOC_URL: 'https://user:hunter2@woc.example',
      WOC_KEY: 'hunter2 hunter2',
      RATES_URL: 'https://rates.example/?key=hunter2',
      RATES_KEY: 'hunter2 hunter2',
      PAYMAIL_DOMAIN: 'a.example:3000',
      BLOCK_INTERVAL_MS: '1e3',
      LOG_LEVEL: 'loud',
      DATABASE_POOL: '1',
      TRUSTED_PROXIES: 'hunter2',
      RATE_LIMITS: '1001',
      WEBHOOKS_ALLOW_PRIVATE: 'yes',
      WALLET_STORE_URL_CHROME: 'http://store.example/hunter2',
      WALLET_STORE_URL_FIREFOX: 'https://user:hunter2@store.example/',
      METRICS_TOKEN: 'hunter2',
    };
    const problems = problemsOf(bad);
    expect(problems.map((line) => line.split(' ')[0])).toEqual(Object.keys(bad));
    for (const line of problems) {
      expect(line).toMatch(/^[A-Z_]+ must be [^\n]+$/);
      expect(line).not.toContain('hunter2');
    }
  });

  it.each([
    ['on', 1],
    ['off', null],
    ['0.5', 0.5],
    ['20', 20],
  ])('scales the rate limits for RATE_LIMITS=%s', (RATE_LIMITS, factor) =>
    expect(readConfig({ RATE_LIMITS }).rateLimitFactor).toBe(factor),
  );
  it.each(['0', '-1', 'On', '1e3', '0.0'])('rejects RATE_LIMITS=%j', (RATE_LIMITS) =>
    expect(problemsOf({ RATE_LIMITS })).toHaveLength(1),
  );

  it('accepts proxies by address, by network and by Express’s names', () => {
    expect(readConfig({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,::1,2001:db8::/32' }).trustedProxies).toEqual([
      'loopback',
      '10.0.0.0/8',
      '::1',
      '2001:db8::/32',
    ]);
  });
  it.each(['true', '1', '10.0.0.0/33', '::/129', 'proxy.example.com', '10.0.0.1,', '*'])(
    'rejects the proxies %j',
    (TRUSTED_PROXIES) => {
      expect(problemsOf({ TRUSTED_PROXIES })).toHaveLength(1);
    },
  );

  it.each([
    ['mainnet', 'http://pay.example.com', false],
    ['mainnet', 'http://127.0.0.1.example.com', false],
    ['mainnet', 'https://pay.example.com', true],
    ['mainnet', '', true],
    ['mainnet', 'http://localhost:3000', true],
    ['mainnet', 'http://127.0.0.1', true],
    ['mainnet', 'http://[::1]:3000', true],
    ['testnet', 'http://pay.example.com', true],
  ])('%s accepts the origin "%s": %s', (NETWORK, BASE_URL, good) => {
    expect(problemsOf({ NETWORK, BASE_URL })).toEqual(
      good ? [] : ['BASE_URL must be https on mainnet, unless it is this machine'],
    );
  });

  it.each([
    [{}, true],
    [{ BASE_URL: 'https://pay.example.com' }, false],
    [{ NETWORK: 'testnet' }, false],
    [{ NETWORK: 'mainnet', WEBHOOKS_ALLOW_PRIVATE: 'on' }, true],
    [{ WEBHOOKS_ALLOW_PRIVATE: 'off' }, false],
  ])('allows webhooks to private addresses with %j: %s', (env, allowed) =>
    expect(readConfig(env).webhooksAllowPrivate).toBe(allowed),
  );

  it.each(['example.com', 'localhost', 'localhost:3000', '127.0.0.1:4002', 'one.localhost:65535'])(
    'accepts the paymail domain %j',
    (PAYMAIL_DOMAIN) => {
      expect(readConfig({ PAYMAIL_DOMAIN }).paymailDomain).toBe(PAYMAIL_DOMAIN);
    },
  );
  it.each([
    'example.com:443',
    'Example.com',
    'localhost:',
    'localhost:0',
    'localhost:65536',
    'localhost:1:2',
    ':80',
    'a b',
    'https://a.example',
    'a..b',
  ])('rejects the paymail domain %j', (PAYMAIL_DOMAIN) => {
    expect(problemsOf({ PAYMAIL_DOMAIN })).toHaveLength(1);
  });

  it('accepts any https page as a store', () => {
    const { walletStores } = readConfig({
      WALLET_STORE_URL_CHROME: 'https://chromewebstore.google.com/detail/wallet/abc?hl=en',
      WALLET_STORE_URL_FIREFOX: 'HTTPS://Addons.Mozilla.org/firefox/addon/wallet/',
    });
    expect(walletStores).toEqual({
      chrome: 'https://chromewebstore.google.com/detail/wallet/abc?hl=en',
      firefox: 'https://addons.mozilla.org/firefox/addon/wallet/',
    });
  });

  it.each(['javascript:alert(1)', 'store.example', '//store.example', 'https://', 'data:text/html,x', ' '])(
    'rejects the store %j',
    (page) => {
      expect(problemsOf({ WALLET_STORE_URL_CHROME: page })).toEqual([
        'WALLET_STORE_URL_CHROME must be an https URL of a page without a user',
      ]);
    },
  );

  it.each(['-1', '3000.5', ' 3000', '0x10', 'NaN'])('rejects the port %j', (PORT) =>
    expect(problemsOf({ PORT })).toHaveLength(1),
  );
});

describe('addressesOf', () => {
  it('uses the port that the server listens on', () => {
    expect(addressesOf(readConfig({ PORT: '0' }), 4321)).toEqual({
      baseUrl: 'http://localhost:4321',
      secure: false,
      paymailDomain: 'localhost',
      arcUrl: 'http://localhost:4321/devnet/arc',
      headersUrl: 'http://localhost:4321/devnet/chaintracks',
      otherArcUrls: [],
      wocUrl: 'http://localhost:4321/devnet/woc/v1/bsv/test',
      ratesUrl: 'https://api.coingecko.com/api/v3',
    });
  });

  it('keeps configured addresses, without slashes at the end', () => {
    const config = readConfig({
      NETWORK: 'mainnet',
      BASE_URL: 'https://Pay.Example.com/',
      ARC_URL: 'https://arc.example/base/, https://arcade.example',
      RATES_URL: 'https://rates.example/v3/',
    });
    expect(addressesOf(config, 1)).toEqual({
      baseUrl: 'https://pay.example.com',
      secure: true,
      paymailDomain: 'pay.example.com',
      arcUrl: 'https://arc.example/base',
      headersUrl: 'https://arcade-v2-us-1.bsvblockchain.tech/chaintracks',
      otherArcUrls: ['https://arcade.example'],
      wocUrl: 'https://api.whatsonchain.com/v1/bsv/main',
      ratesUrl: 'https://rates.example/v3',
    });
  });

  it.each(['mainnet', 'testnet'])('several operators are configured on %s', (NETWORK) => {
    expect(addressesOf(readConfig({ NETWORK }), 1).otherArcUrls.length).toBeGreaterThanOrEqual(1);
  });
});
