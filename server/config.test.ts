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
  it('has a default for everything', () => {
    expect(readConfig({ NETWORK: '', UNRELATED: 'x' })).toEqual({
      network: 'devnet', port: 3000, host: '127.0.0.1', baseUrl: null, dataDirectory: './data', databaseUrl: null,
      arcUrl: null, wocUrl: null, ratesUrl: 'https://api.coingecko.com/api/v3', paymailDomain: null, blockIntervalMs: 5000, logLevel: 'info',
    });
  });

  it('names every problem in a line of its own, and repeats no value', () => {
    const bad = {
      NETWORK: 'regtest', PORT: '65536', BASE_URL: 'https://a.example/path', DATABASE_URL: 'mysql://user:hunter2@host/db', ARC_URL: 'ftp://hunter2',
      WOC_URL: 'https://user:hunter2@woc.example', RATES_URL: 'https://rates.example/?key=hunter2', PAYMAIL_DOMAIN: 'a.example:3000', BLOCK_INTERVAL_MS: '1e3', LOG_LEVEL: 'loud',
    };
    const problems = problemsOf(bad);
    expect(problems.map((line) => line.split(' ')[0])).toEqual(Object.keys(bad));
    for (const line of problems) {
      expect(line).toMatch(/^[A-Z_]+ must be [^\n]+$/);
      expect(line).not.toContain('hunter2');
    }
  });

  it.each(['-1', '3000.5', ' 3000', '0x10', 'NaN'])('refuses the port %j', (PORT) => expect(problemsOf({ PORT })).toHaveLength(1));
});

describe('addressesOf', () => {
  it('takes the port that was in the end listened on', () => {
    expect(addressesOf(readConfig({ PORT: '0' }), 4321)).toEqual({
      baseUrl: 'http://localhost:4321', secure: false, paymailDomain: 'localhost',
      arcUrl: 'http://localhost:4321/devnet/arc', wocUrl: 'http://localhost:4321/devnet/woc/v1/bsv/test', ratesUrl: 'https://api.coingecko.com/api/v3',
    });
  });

  it('keeps to what is set, without slashes at the end', () => {
    const config = readConfig({ NETWORK: 'mainnet', BASE_URL: 'https://Pay.Example.com/', ARC_URL: 'https://arc.example/base/', RATES_URL: 'https://rates.example/v3/' });
    expect(addressesOf(config, 1)).toEqual({
      baseUrl: 'https://pay.example.com', secure: true, paymailDomain: 'pay.example.com',
      arcUrl: 'https://arc.example/base', wocUrl: 'https://api.whatsonchain.com/v1/bsv/main', ratesUrl: 'https://rates.example/v3',
    });
  });
});
