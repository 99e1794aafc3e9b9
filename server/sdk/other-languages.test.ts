/** Runs the shops in examples/verify with other languages' runtimes, without our SDK. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { txidOf } from '../../protocol/bitcoin/transaction.ts';
import { createSignedReport } from '../payment-reports/testing-report.ts';
import { createTestWallet } from '../testing.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const LANGUAGES = [
  ['PHP', 'php', '../../examples/verify/verify.php'],
  ['Python', 'python3', '../../examples/verify/verify.py'],
] as const;
const isInstalled = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

let payment: Record<string, unknown> & { outputs: { to: string }[] };
let to: string;
beforeAll(async () => {
  const { report, txid } = await createSignedReport(200_000n, 300_000n, createTestWallet().publicKey);
  payment = { ...report, txid, status: 'RECEIVED', satoshis: '200000', refundedSatoshis: '0' };
  to = payment.outputs[0]?.to ?? '';
});

describe.each(LANGUAGES.filter(([, program]) => isInstalled(program)))('a shop in %s', (_name, program, path) => {
  const verify = (
    event: object,
    { sent = (body: string) => body, satoshis = 200_000, at = new Date(), secret = SECRET, address = to } = {},
  ): string => {
    // Signed with the reference implementation of Standard Webhooks.
    const body = JSON.stringify({ timestamp: at.toISOString(), ...event });
    const headers = {
      'Webhook-Id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,AAAA ${new Webhook(SECRET).sign('msg_1', at, body)}`,
    };
    const { stdout, stderr, status } = spawnSync(program, [fileURLToPath(new URL(path, import.meta.url))], {
      input: JSON.stringify({ headers, body: sent(body), to: address, satoshis }),
      encoding: 'utf8',
      env: { ...process.env, WEBHOOK_SECRET: secret },
    });
    return status === 0 ? stdout.trim() : stderr;
  };
  const received = (change: object = {}) => ({
    type: 'payment.received',
    data: { payment: { ...payment, ...change } },
  });

  test('delivers for a payment that its webhook reports, and ignores unknown types', () => {
    expect(verify(received())).toBe('paid');
    expect(verify(received({ label: 'Café 東京 \u{1f375}' }))).toBe('paid');
    expect(verify({ type: 'payment.expired', data: {} })).toBe('ignored');
  });

  test('delivers for a transaction of version 2 only once a block contains it', () => {
    const rawtx = `02${String(payment.rawtx).slice(2)}`;
    const later = { rawtx, txid: txidOf(fromHex(rawtx)) };
    expect(verify(received(later))).toMatch(/^rejected: /);
    expect(verify(received({ ...later, status: 'COMPLETED' }))).toBe('paid');
  });

  test.each<[string, () => string]>([
    ['a webhook that was changed', () => verify(received(), { sent: (body) => `${body} ` })],
    [
      'a webhook signed with a different secret',
      () => verify(received(), { secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }),
    ],
    ['an old webhook', () => verify(received(), { at: new Date(Date.now() - 3_600_000) })],
    ['a payment of less', () => verify(received(), { satoshis: 200_001 })],
    ['a payment to another address', () => verify(received(), { address: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb' })],
    ['a payment that failed', () => verify(received({ status: 'FAILED' }))],
    ['a double-spent payment', () => verify(received({ network: 'contested' }))],
    ['a payment that the network has dropped', () => verify(received({ network: 'unknown' }))],
    ['a refunded payment', () => verify(received({ refundedSatoshis: '200000' }))],
    ['another transaction', () => verify(received({ txid: 'ab'.repeat(32) }))],
    ['bytes that are left over', () => verify(received({ rawtx: `${String(payment.rawtx)}00` }))],
    ['truncated bytes', () => verify(received({ rawtx: String(payment.rawtx).slice(0, -2) }))],
    ['a transaction that promises more than it has', () => verify(received({ rawtx: '01000000ffffffffffffffffff' }))],
    ['no hexadecimal digits', () => verify(received({ rawtx: 'xyz' }))],
  ])('rejects %s', (_what, outcome) => {
    expect(outcome()).toMatch(/^rejected: [A-Z]/);
  });
});
