/** Fuzzes the decrypted JSON in blocks of application data, from a backup file or a service. */
import { openBlock, sealBlock, fitting, type BlockContent } from '../../wallet/app-backup/block.ts';
import { Reading } from '../../wallet/app-backup/reading.ts';
import { must, mustEqual, target } from '../target.ts';
import { jsonOf, readings } from './testing-schemas.ts';
import { blocksResponse } from '../../protocol/http/app-log.ts';
import { TXID } from './testing-seeds.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', false, ['encrypt', 'decrypt']);
const ID = { network: 'devnet', writer: 'a'.repeat(16), sequence: 1 } as const;
const outpoint = `${TXID}.0`;
const entries = [
  {
    kind: 'output',
    outpoint,
    satoshis: '1',
    basket: 'b',
    tags: ['t'],
    customInstructions: null,
    origin: 'https://a.example',
    description: 'd',
  },
  { kind: 'output-gone', outpoint, origin: 'https://a.example' },
  { kind: 'output-gone', outpoint },
  { kind: 'payment-gone', outpoint },
  { kind: 'outpoint-gone', outpoint },
  {
    kind: 'action',
    txid: TXID,
    origin: 'o',
    description: 'd',
    labels: ['l'],
    outputs: [{ vout: 0, description: 'd' }],
    at: 1,
  },
  {
    kind: 'wallet-payment',
    outpoint,
    derivationPrefix: 'p',
    derivationSuffix: 's',
    senderIdentityKey: 'k',
    satoshis: '1',
  },
].map((entry) => ({ entry, version: 1, at: 1 }));

export default target({
  form: 'json',
  seeds: () => [
    JSON.stringify({ entries, heads: { [ID.writer]: 0 }, whole: true }),
    JSON.stringify({ blocks: [{ position: 1, writer: ID.writer, sequence: 1, block: 'AAAA' }], more: false }),
  ],
  read: async (input) => {
    const json = jsonOf(input);
    if (json === undefined) return null;
    readings({ blocksResponse }, json);
    const block = await sealBlock(wallet, key, ID, json as BlockContent);
    const reading = new Reading(key, ID.network);
    const opened = await reading.open({ ...ID, block: Buffer.from(block).toString('base64') });
    const { heads, missing, isSound, isWhole } = reading;
    return { content: await openBlock(key, ID, block), opened, heads, missing, isSound, isWhole };
  },
  check: ({ content, opened, heads, isSound }) => {
    mustEqual(content?.entries ?? [], opened, 'the entries differ');
    must(content !== null || !isSound, 'reported as sound, though nothing could be opened');
    must(
      Object.values(heads).every((head) => typeof head === 'number'),
      'invalid heads',
    );
    if (content) must(fitting(content.entries, {}).length <= content.entries.length, 'more entries than in the input');
  },
});
