/** Fuzzes responses from paymail hosts, and requests to our own host. The wallet must pay the requested amount. */
import { checkedScripts } from '../../wallet/paymail/destination.ts';
import { throwHostError } from '../../wallet/paymail/discovery.ts';
import * as paymail from '../../protocol/http/paymail.ts';
import { isDataScript } from '../../protocol/bitcoin/asm.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { must, mustEqual, orRefusal, target } from '../target.ts';
import { jsonOf, readings, type Schemas } from './testing-schemas.ts';
import { PUBLIC_KEY, TXID } from './testing-seeds.ts';

const SCRIPT = `76a914${'00'.repeat(20)}88ac`;
const EXAMPLES: Readonly<Record<string, unknown>> = {
  discoveryDocument: {
    bsvalias: '1.0',
    capabilities: { pki: 'https://a.example/{alias}@{domain.tld}', '6745385c3fc0': true },
  },
  pkiResponse: { bsvalias: '1.0', handle: 'ann@a.example', pubkey: PUBLIC_KEY },
  verifyPublicKeyResponse: { handle: 'ann@a.example', pubkey: PUBLIC_KEY, match: true },
  publicProfileResponse: { name: 'Ann', avatar: 'https://a.example/ann.png' },
  paymentDestinationRequest: {
    senderHandle: 'bob@b.example',
    dt: '2026-01-01T00:00:00Z',
    amount: 5,
    purpose: 'tea',
    pubkey: PUBLIC_KEY,
  },
  paymentDestinationResponse: { output: SCRIPT },
  p2pDestinationRequest: { satoshis: 1000 },
  p2pDestinationResponse: {
    outputs: [
      { script: SCRIPT, satoshis: 400 },
      { script: SCRIPT, satoshis: 600 },
    ],
    reference: 'r',
  },
  ordinalDestinationRequest: { ordinals: 1 },
  ordinalDestinationResponse: { outputs: [{ script: SCRIPT }], reference: 'r' },
  receiveTransactionRequest: { hex: 'ab', metadata: { sender: 'bob@b.example', note: 'tea' }, reference: 'r' },
  receiveBeefRequest: { beef: 'ab', metadata: null, reference: 'r' },
  receiveResponse: { txid: TXID, note: null },
};
const SCHEMAS = Object.fromEntries(
  Object.entries(paymail).filter(([name]) => Object.hasOwn(EXAMPLES, name)),
) as Schemas;
const ASKED = 1000n;

export default target({
  form: 'json',
  seeds: () => Object.values(EXAMPLES).map((example) => JSON.stringify(example)),
  read: (input) => {
    const body = jsonOf(input);
    if (body === undefined) return null;
    orRefusal(['unknown-recipient', 'paymail-unavailable', 'unsupported-recipient'], () =>
      throwHostError({ status: 400, body }),
    );
    const read = paymail.p2pDestinationResponse.safeParse(body).data;
    const scripts = read?.outputs.map(({ script, satoshis }) => ({
      script: script.toLowerCase(),
      satoshis: BigInt(satoshis),
    }));
    return {
      found: readings(SCHEMAS, body),
      paid: scripts ? orRefusal(['paymail-mismatch'], () => checkedScripts(scripts, ASKED)) : null,
    };
  },
  check: ({ paid }) => {
    if (!paid) return;
    mustEqual(
      paid.reduce((sum, { satoshis }) => sum + satoshis, 0n),
      ASKED,
      'the amount differs from the requested one',
    );
    must(
      paid.every(({ script, satoshis }) => satoshis > 0n && !isDataScript(fromHex(script))),
      'an output pays no one',
    );
  },
});
