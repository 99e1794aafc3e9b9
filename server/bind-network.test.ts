import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bindDatabase, bindDirectory, firstPaymailDomain } from './bind-network.ts';
import { openTestDatabase } from './database/testing.ts';

const parent = mkdtempSync(join(tmpdir(), 'bind-network-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe('a data directory', () => {
  it('keeps its first network', async () => {
    const directory = join(parent, 'new', 'data');
    await bindDirectory(directory, 'testnet');
    await bindDirectory(directory, 'testnet');
    await expect(bindDirectory(directory, 'mainnet')).rejects.toThrow(
      'DATA_DIR holds the data of testnet, but NETWORK is mainnet: use another one, or set NETWORK=testnet',
    );
    expect([readdirSync(directory), readFileSync(join(directory, 'network'), 'utf8')]).toEqual([
      ['network'],
      'testnet\n',
    ]);
  });

  it('belongs to devnet if an older version created it with a ledger', async () => {
    const directory = join(parent, 'old');
    mkdirSync(join(directory, 'devnet'), { recursive: true });
    await expect(bindDirectory(directory, 'mainnet')).rejects.toThrow('data of devnet');
    await bindDirectory(directory, 'devnet');
  });

  it('several concurrent processes bind it once', async () => {
    const directory = join(parent, 'race');
    const ended = await Promise.allSettled(
      Array.from({ length: 16 }, (_, i) => bindDirectory(directory, i % 2 ? 'mainnet' : 'testnet')),
    );
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  });
});

describe('a database', () => {
  it('keeps its first network', async () => {
    const database = await openTestDatabase();
    try {
      await bindDatabase(database.db, 'mainnet');
      await bindDatabase(database.db, 'mainnet');
      await expect(bindDatabase(database.db, 'devnet')).rejects.toThrow(
        'The database holds the data of mainnet, but NETWORK is devnet: use another one, or set NETWORK=mainnet',
      );
      // A paymail domain can change. The first domain is recorded so that main.ts can warn at each start.
      expect(await firstPaymailDomain(database.db, 'old.example')).toBe('old.example');
      expect(await firstPaymailDomain(database.db, 'new.example')).toBe('old.example');
    } finally {
      await database.close();
    }
  });
});
