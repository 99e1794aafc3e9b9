import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ITEMS_KEY } from '../../page-script/page/session-lines.ts';
import { ATTEMPTS_KEY } from '../../page-script/button/payment-attempts.ts';
import { FIRST_VIEW } from '../../protocol/messages/first-view.ts';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const document = read('docs/storage.md');
const isTest = (file: string) => /\.test\.tsx?$|\/testing[/-]|test-/.test(file);
const sources = ['wallet', 'extension', 'page-script']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !isTest(file))
  .map((file) => ({ file, text: read(file) }));

/** Parses the table below a heading. Returns the rows, keyed by the name in the first column. */
function table(heading: string): Map<string, string> {
  const [, section] = document.split(`\n${heading}`);
  if (section === undefined) throw new Error(`docs/storage.md has no heading "${heading}"`);
  const rows = (section.split(/\n##/)[0] as string).matchAll(/^\| `([^`]+)` \|(.*)\|$/gm);
  return new Map([...rows].map(([, name = '', rest = '']) => [name, rest]));
}

afterEach(endAllWorkerRuns);

test('the browser is asked to keep the wallet when the disk is full', async () => {
  const persist = vi.fn(async () => true);
  vi.stubGlobal('navigator', { storage: { persist }, languages: ['en'] });
  await new Profile('http://localhost:1').start();
  expect(persist).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

describe('docs/storage.md', () => {
  test('every single record is listed, and no record that the code does not have', () => {
    const declared =
      /export interface KeyedValues \{([^}]*(?:\{[^}]*\}[^}]*)*)\n\}/.exec(read('wallet/store/schema.ts'))?.[1] ?? '';
    const keys = [...declared.matchAll(/^ {2}(\w+):/gm)].map(([, key]) => key);
    expect(keys.length).toBeGreaterThan(5);
    expect([...table('### Store `keyval`').keys()].sort()).toEqual(keys.sort());
  });

  test('every store of the database is listed as it is created', async () => {
    await new Profile('http://localhost:1').start();
    const { database } = await import('./database.ts');
    const { STORES } = await import('./schema.ts');
    const db = await database(wallet);
    expect(db.name).toBe('service-button');
    expect(document).toContain(`## IndexedDB \`${db.name}\``);
    expect([...db.objectStoreNames].sort()).toEqual([...STORES].sort());
    expect(['keyval', ...table('### The other stores').keys()].sort()).toEqual([...STORES].sort());
  });

  test('the entries of session storage, the alarms and the storage of pages and windows are listed', async () => {
    const {
      modules: { session },
    } = await new Profile('http://localhost:1').start();
    const { VOID_APPROVALS } = await import('../payments/outcome.ts');
    const { WORK_ALARM } = await import('../payments/schedule.ts');
    const { ONBOARDING_CLIENTS } = await import('../onboarding-tab.ts');
    const { OPEN_TABS } = await import('../../extension/background/open-tabs.ts');
    expect([...table('## `storage.session`').keys()]).toEqual([
      session.SESSION_HALF,
      FIRST_VIEW,
      ONBOARDING_CLIENTS,
      OPEN_TABS,
      VOID_APPROVALS,
    ]);
    const { WALLET_MARK } = await import('../vault/wallet-mark.ts');
    expect([...table('## `storage.local`').keys()]).toEqual([WALLET_MARK]);
    const { POLL_ALARM } = await import('../scan/poll-alarm.ts');
    const { SEARCH_ALARM } = await import('../activity/make-search-pages.ts');
    expect([...table('## Alarms').keys()].sort()).toEqual(
      [session.LOCK_ALARM, WORK_ALARM, POLL_ALARM, SEARCH_ALARM].sort(),
    );
    expect([...table('## `sessionStorage` of a page').keys()]).toEqual([ATTEMPTS_KEY, ITEMS_KEY]);
    expect([...table('## `localStorage` of').keys()]).toEqual(
      ['ui/languages/language', 'ui/window/theme', 'popup/home/balance-currency'].map(
        (name) => /const KEY = '([\w-]+)'/.exec(read(`extension/${name}.ts`))?.[1],
      ),
    );
  });

  test('the files that write are listed, and they do write', () => {
    const rows = [...table('### Store `keyval`'), ...table('### The other stores')];
    for (const [key, rest] of rows) {
      for (const [, file = ''] of rest.matchAll(/`([\w/-]+\.ts)`/g)) {
        const text = read(file);
        expect(text, `${file} writes ${key}`).toMatch(
          new RegExp(`'${key}'|endUnsigned|transition\\(|objectStore|/(?:store|records|receipts)\\.ts'`),
        );
      }
    }
    // The document must list all writers of each value.
    for (const { file, text } of sources) {
      for (const [, key = ''] of text.matchAll(/(?:write|change)Key\(wallet, '(\w+)'/g))
        expect(table('### Store `keyval`').get(key), `${file} writes ${key}`).toContain(file);
    }
  });

  test('a transaction that writes single records clears their cache', () => {
    const writes = /transaction(?:<[^>]*>)?\((?:'keyval'|STORES|\[[^\]]*'keyval'[^\]]*\]), 'readwrite'\)/g;
    for (const { file, text } of sources) {
      expect([...text.matchAll(/clearCaches\(wallet, tx\.done\)/g)].length, file).toBe(
        [...text.matchAll(writes)].length,
      );
    }
  });

  test('the document is complete: nothing is stored anywhere else', () => {
    const kept =
      /\blocalStorage\.|\bsessionStorage\b|wallet\.localStorage\b|storage\.(?:local|sync|managed|session)\.|\bindexedDB\b|\bopenDatabase\b|\bcaches\.|document\.cookie|alarms\.create/;
    const files = sources
      .filter(({ text }) => kept.test(text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')))
      .map(({ file }) => file)
      // The platform module only provides the browser's storage.
      .filter((file) => !file.endsWith('platform.ts'));
    expect(files.sort()).toEqual([
      'extension/background/open-tabs.ts',
      'extension/popup/home/balance-currency.ts',
      'extension/popup/home/first-view.ts',
      'extension/ui/languages/language.ts',
      'extension/ui/window/theme.ts',
      'page-script/wallet/wallet.ts',
      'wallet/activity/make-search-pages.ts',
      'wallet/onboarding-tab.ts',
      'wallet/payments/outcome.ts',
      'wallet/payments/schedule.ts',
      'wallet/scan/poll-alarm.ts',
      'wallet/store/database.ts',
      'wallet/vault/session.ts',
      'wallet/vault/wallet-mark.ts',
    ]);
  });
});
