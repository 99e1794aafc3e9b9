import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BSM, PrivateKey, Utils } from '@bsv/sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { CAPABILITIES, MAX_NOTE } from '../../protocol/http/paymail.ts';
import { addressesOf, readConfig } from '../config.ts';
import { useTestDatabase } from '../database/testing.ts';
import { createUser } from '../identity/accounts.ts';
import { createSenderCheck, readMetadata } from './senders.ts';

const KEY = PrivateKey.fromRandom();
const PUBLIC_KEY = KEY.toPublicKey().toString();
const ANOTHER = PrivateKey.fromRandom().toPublicKey().toString();
const TXID = 'ab'.repeat(32);
const sign = (text: string) => BSM.sign(Utils.toArray(text, 'utf8'), KEY, 'base64') as string;

describe('a transaction’s metadata', () => {
  const NOBODY = { sender: null, publicKey: null, note: null };

  test.each([
    ['no metadata', undefined],
    ['null', null],
    ['none of the fields', {}],
    ['null in all fields', { sender: null, pubkey: null, signature: null, note: null }],
    ['empty texts', { sender: '', pubkey: '', signature: '', note: '' }],
    ['a sender who is no paymail', { sender: 'Ann' }],
    ['a key that signed nothing', { pubkey: PUBLIC_KEY }],
    ['an unreadable signature', { pubkey: PUBLIC_KEY, signature: 'AAAA' }],
  ])('%s names no sender', (_what, metadata) => {
    expect(readMetadata(metadata, TXID)).toEqual(NOBODY);
  });

  test('names the claimed sender, and the key that signed the transaction’s id', () => {
    const signature = sign(TXID);
    expect(readMetadata({ sender: 'Ann@A.example', signature }, TXID)).toEqual({
      sender: 'ann@a.example',
      publicKey: PUBLIC_KEY,
      note: null,
    });
    for (const pubkey of [null, '', PUBLIC_KEY, PUBLIC_KEY.toUpperCase()])
      expect(readMetadata({ pubkey, signature }, TXID).publicKey, String(pubkey)).toBe(PUBLIC_KEY);
  });

  test('a signature by a key other than the named one, or over another transaction, is rejected', () => {
    const refused = expect.objectContaining({ code: 'invalid-signature' });
    expect(() => readMetadata({ pubkey: ANOTHER, signature: sign(TXID) }, TXID)).toThrow(refused);
    expect(() => readMetadata({ pubkey: PUBLIC_KEY, signature: sign('cd'.repeat(32)) }, TXID)).toThrow(refused);
    // The recovered key isn't Ann's, so her host won't confirm it.
    expect(readMetadata({ signature: sign('cd'.repeat(32)) }, TXID).publicKey).not.toBe(PUBLIC_KEY);
  });

  test('a note is truncated, and its control and bidirectional characters become spaces', () => {
    const note = (text: string) => readMetadata({ note: text }, TXID).note;
    expect(note('x'.repeat(MAX_NOTE))).toBe('x'.repeat(MAX_NOTE));
    expect(note(`${'x'.repeat(MAX_NOTE)}y`)).toBe('x'.repeat(MAX_NOTE));
    expect(note('tea\u202e, 5\u0007')).toBe('tea , 5 ');
  });
});

describe('a sender’s key', () => {
  const database = useTestDatabase();
  const addresses = addressesOf(readConfig({ NETWORK: 'devnet', PAYMAIL_DOMAIN: 'pay.example' }), 3000);
  const check = (paymail: string, publicKey: string, network: 'devnet' | 'mainnet' = 'devnet') =>
    createSenderCheck({ db: database.db, network, addresses })(paymail, publicKey);

  beforeAll(async () => {
    await createUser(database.db, PUBLIC_KEY, { handle: 'ann', name: '', receivingXpub: '' }, new Date(0));
  });

  test('must be that of the account on this service, for any spelling of the paymail', async () => {
    expect(await check('ann@pay.example', PUBLIC_KEY)).toBe(true);
    expect(await check('Ann@Pay.Example', PUBLIC_KEY)).toBe(true);
    expect(await check('ann@pay.example', ANOTHER)).toBe(false);
    expect(await check('bob@pay.example', PUBLIC_KEY)).toBe(false);
  });

  test('must be the account’s even if the paymail has the service’s internationalized domain in Unicode', async () => {
    const bücher = addressesOf(readConfig({ NETWORK: 'devnet', BASE_URL: 'https://bücher.example' }), 3000);
    const isSender = createSenderCheck({ db: database.db, network: 'devnet', addresses: bücher });
    for (const domain of ['xn--bcher-kva.example', 'bücher.example', 'Bücher.example'])
      expect(await isSender(`ann@${domain}`, PUBLIC_KEY), domain).toBe(true);
    expect(await isSender('ann@bücher.example', ANOTHER)).toBe(false);
  });

  test('can’t belong to an unknown account', async () => {
    for (const text of ['', 'ann', 'ann@', 'ann@pay.example@pay.example'])
      expect(await check(text, PUBLIC_KEY), text).toBe(false);
  });

  test('the host of any other domain confirms it, even if the handle also exists at this service', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      const { port } = server.address() as AddressInfo;
      const pki = `http://127.0.0.1:${port}/{alias}@{domain.tld}`;
      response.end(
        JSON.stringify(
          request.url === '/.well-known/bsvalias'
            ? { bsvalias: '1.0', capabilities: { [CAPABILITIES.pki]: pki } }
            : { bsvalias: '1.0', handle: '', pubkey: ANOTHER },
        ),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const domain = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await check(`ann@${domain}`, ANOTHER)).toBe(true);
      expect(await check(`ann@${domain}`, PUBLIC_KEY)).toBe(false);
      expect(asked).toEqual([1, 2].flatMap(() => ['/.well-known/bsvalias', `/ann@${domain}`]));
      // Except on devnet, this machine is never contacted as a paymail host.
      expect(await check(`ann@${domain}`, ANOTHER, 'mainnet')).toBe(false);
      expect(asked).toHaveLength(4);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
