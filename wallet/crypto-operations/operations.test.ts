import { ECIES, PrivateKey } from '@bsv/sdk';
import { describe, expect, test, vi } from 'vitest';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { type CryptoOperation, type CryptoResult, type PaymentOptions } from '../../protocol/payments/payment.ts';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import type { ApprovalView } from '../../protocol/messages/wallet-messages.ts';
import { readChunks } from '../recipients/script-chunks.ts';
import { startHost, startNames } from '../../testkit/network/hosts.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import {
  approvalOf,
  approvals,
  openWallet,
  PASSWORD,
  pay,
  stored,
  someone,
  give,
} from '../../testkit/wallet/wallet.ts';
import { holdTime } from '../../testkit/wallet/clock.ts';
import {
  network,
  type PaymentResult,
  type View,
  SECRET,
  ask,
  only,
  read,
  decide,
  took,
  agree,
  sealedFor,
} from './testing-operations.ts';
import { wallet } from '../../testkit/wallet/current.ts';

/** Reads a window's new contents and approves immediately. The approval must be rejected. */
async function agreeTooSoon(workerRun: WorkerRun): Promise<View> {
  const goOn = holdTime();
  try {
    const { approvalId, view } = await read(workerRun);
    await expect(decide(workerRun, approvalId, view.kind === 'operations' ? 'sign' : 'pay')).rejects.toMatchObject({
      code: 'too-soon',
    });
    return view;
  } finally {
    goOn();
  }
}
const everythingStored = async (workerRun: WorkerRun) => {
  const db = await workerRun.modules.database.database(wallet);
  const all = await Promise.all((['prompts', 'requests', 'payments'] as const).map((store) => db.getAll(store)));
  return JSON.stringify(all.flat(), (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
};

describe('[S-03] [S-04] [S-05] [S-06] [R-19] operations without a payment', () => {
  test('data is encrypted for a paymail’s key, which its own host supplies, or for a given key', async () => {
    const workerRun = await openWallet(network, []);
    await startNames(workerRun.profile);
    const host = await startHost(workerRun.profile);
    const [theirs, other] = [PrivateKey.fromHex('08'.repeat(32)), PrivateKey.fromHex('09'.repeat(32))];
    host.key = theirs.toPublicKey().toString();
    const answer = ask(
      workerRun,
      'request-1',
      only(
        {
          name: 'a',
          method: 'encrypt',
          data: SECRET,
          paymail: 'bob@pay.example',
          publicKey: other.toPublicKey().toString(),
        },
        { name: 'b', method: 'encrypt', data: SECRET, publicKey: other.toPublicKey().toString() },
      ),
    );
    const view = await agree(workerRun);
    expect(view.operations.map(({ data, value, party }) => ({ text: data?.text, value, party }))).toEqual([
      {
        text: SECRET,
        value: null,
        party: { kind: 'paymail', text: 'bob@pay.example', host: 'pay.example', keyChangedSince: null },
      },
      {
        text: SECRET,
        value: null,
        party: { kind: 'key', text: other.toPublicKey().toString(), host: null, keyChangedSince: null },
      },
    ]);
    const {
      cryptoOperations: [toPaymail, toKey],
    } = (await answer) as PaymentResult;
    const opened = (result: CryptoResult | undefined, key: PrivateKey) =>
      new TextDecoder().decode(Uint8Array.from(ECIES.electrumDecrypt([...fromHex(result?.value ?? '')], key)));
    expect([opened(toPaymail, theirs), opened(toKey, other)]).toEqual([SECRET, SECRET]);
    expect(toPaymail).toMatchObject({ data: null, paymail: 'bob@pay.example', publicKey: host.key });
    expect(toKey).toMatchObject({ data: null, paymail: null, publicKey: other.toPublicKey().toString() });
    // An unknown paymail or a missing host is reported immediately, without a window.
    expect(
      await ask(
        workerRun,
        'request-2',
        only({ name: 'a', method: 'encrypt', data: 'x', paymail: 'nobody@pay.example' }),
      ),
    ).toBe('unknown-recipient');
    expect(
      await ask(workerRun, 'request-3', only({ name: 'a', method: 'encrypt', data: 'x', paymail: 'bob@gone.example' })),
    ).toBe('paymail-unavailable');
    expect(approvals(workerRun)).toEqual([]);
  });

  test('a change of a paymail’s key is reported to the user, and the page gets no data of the wallet', async () => {
    const workerRun = await openWallet(network, []);
    await startNames(workerRun.profile);
    await startHost(workerRun.profile);
    await workerRun.modules.database.inTransaction(wallet, (tx) =>
      tx
        .objectStore('paymails')
        .put({ paymail: 'bob@pay.example', publicKey: `03${'5'.repeat(64)}`, since: 1_700_000_000_000 }),
    );
    const answer = ask(
      workerRun,
      'request-1',
      only(
        { name: 'a', method: 'encrypt', data: 'x', paymail: 'Bob@PAY.example' },
        { name: 'b', method: 'verify', data: 'x', signature: 'none', paymail: 'bob@pay.example' },
        { name: 'c', method: 'encrypt', data: 'x', paymail: 'carol@pay.example' },
      ),
    );
    expect((await agree(workerRun)).operations.map(({ party }) => party?.keyChangedSince)).toEqual([
      1_700_000_000_000,
      1_700_000_000_000,
      null,
    ]);
    expect(JSON.stringify(await answer)).not.toContain('keyChangedSince');
  });

  test('operations that cannot be run open no window and leave nothing', async () => {
    const workerRun = await openWallet(network, []);
    expect(await ask(workerRun, 'request-1', only({ name: 'a', method: 'sign', data: 'ab'.repeat(32) }))).toBe(
      'forbidden-data',
    );
    expect(await ask(workerRun, 'request-1', only({ name: 'a', method: 'decrypt', data: 'beef' }))).toBe(
      'operation-failed',
    ); // not a ciphertext
    expect(await ask(workerRun, 'request-1', { ...only({ name: 'a', method: 'address' }), opReturn: 'x' })).toBe(
      'invalid-operation',
    ); // nothing to write to the chain
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    expect(await everythingStored(workerRun)).toBe('[]');
  });

  test('operations whose results a script does not use request no key, and open no window', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const host = await startHost(workerRun.profile);
    const script = `OP_FALSE OP_RETURN ${toHex(new TextEncoder().encode('#{sealde}'))}`;
    const cryptoOperations: CryptoOperation[] = [
      { name: 'sealed', method: 'encrypt', data: 'x', paymail: 'bob@pay.example' },
    ];
    expect(
      await ask(workerRun, 'request-1', { outputs: [{ script, amount: '0', currency: 'BSV' }], cryptoOperations }),
    ).toBe('invalid-operation');
    expect(host.asked).toEqual([]);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });

  test('a repeated request returns the same response, and no other request can use its ID', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const options = only({ name: 'a', method: 'encrypt', data: 'x' });
    const both = [
      ask(workerRun, 'request-1', options),
      ask(workerRun, 'request-1', options),
      ask(workerRun, 'request-1', only({ name: 'a', method: 'encrypt', data: 'y' })),
    ];
    await agree(workerRun);
    const [first, second, third] = await Promise.all(both);
    expect(second).toEqual(first);
    expect(third).toBe('request-id-reused');
    expect(await ask(workerRun, 'request-1', options)).toEqual(first);
    expect(await ask(workerRun, 'request-1', pay(someone(), 1000))).toBe('request-id-reused');
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('a rejection, a closed window and a closed page return no result and store nothing', async () => {
    const workerRun = await openWallet(network, []);
    const options = only({ name: 'a', method: 'decrypt', data: await sealedFor(workerRun) });
    const first = ask(workerRun, 'request-1', options);
    const { approvalId } = await read(workerRun);
    await decide(workerRun, approvalId, 'refuse');
    expect(await first).toBe('operation-refused');
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    const second = ask(workerRun, 'request-2', options);
    await read(workerRun);
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    expect(await second).toBe('operation-refused');
    const client = {};
    const third = ask(workerRun, 'request-3', options, { client });
    await read(workerRun);
    await workerRun.modules.prompts.withdrawClient(wallet, client);
    expect(await third).toBe('page-gone');
    expect(await everythingStored(workerRun)).not.toContain(SECRET);
    // A user who returns and swipes again makes a new request.
    const fourth = ask(workerRun, 'request-3', options);
    await agree(workerRun);
    expect(((await fourth) as PaymentResult).cryptoOperations[0]?.value).toBe(SECRET);
  });

  test('operations are in the activity after approval, with signed but never decrypted texts, and not in the export', async () => {
    const workerRun = await openWallet(network, []);
    const asked = ask(workerRun, 'request-kept', {
      ...only(
        { name: 'mark', method: 'sign', data: 'I agree' },
        { name: 'open', method: 'decrypt', data: await sealedFor(workerRun) },
      ),
      clientIdentifier: 'notary',
    });
    await agree(workerRun);
    expect(await asked).toMatchObject({ cryptoOperations: [{}, { value: SECRET }] });
    const { walletHandlers } = workerRun.modules.handlers;
    const rows = async (filter = {}) => (await walletHandlers(wallet)['activity/list']({ limit: 20, ...filter })).items;
    expect(await rows()).toMatchObject([
      {
        origin: 'https://shop.example',
        satoshis: '0',
        txid: null,
        clientIdentifier: 'notary',
        operations: [
          { method: 'sign', data: 'I agree', value: null },
          { method: 'decrypt', data: null, value: null },
        ],
      },
    ]);
    expect(
      JSON.stringify(await (await workerRun.modules.database.database(wallet)).getAll('operations')),
    ).not.toContain(SECRET);
    expect(await rows({ search: 'notary agree' })).toHaveLength(1);
    for (const filter of [{ search: 'nothing' }, { direction: 'sent' }, { status: 'COMPLETED' }] as const)
      expect(await rows(filter)).toEqual([]);
    expect((await walletHandlers(wallet)['activity/export']({})).items).toEqual([]);
  });

  test('a limited number of the latest operations is stored, with the beginning of each text', async () => {
    const workerRun = await openWallet(network, []);
    const { recordOperations, MAX_OPERATIONS_RECORDS } = await import('./record.ts');
    const outcome = { id: '1', method: 'sign', data: 'é'.repeat(5000), dataEncoding: 'utf8' } as never;
    for (let n = 0; n < MAX_OPERATIONS_RECORDS + 3; n += 1) {
      vi.mocked(Date.now).mockReturnValue(1_800_000_000_000 + n);
      await workerRun.modules.database.inTransaction(wallet, (tx) =>
        recordOperations(wallet, tx, `https://${n}.example`, null, [outcome]),
      );
    }
    const kept = await (await workerRun.modules.database.database(wallet)).getAll('operations');
    expect(kept).toHaveLength(MAX_OPERATIONS_RECORDS);
    expect(kept.map(({ origin }) => origin)).not.toContain('https://0.example');
    expect(kept[0]?.operations[0]?.data).toBe('é'.repeat(1000));
  });

  test('an approval before the window was read has no effect', async () => {
    const workerRun = await openWallet(network, []);
    const answer = ask(workerRun, 'request-1', only({ name: 'a', method: 'sign', data: 'x' }));
    await agreeTooSoon(workerRun);
    const approvalId = await approvalOf(workerRun);
    await expect(decide(workerRun, approvalId, 'pay')).rejects.toMatchObject({ code: 'approval-unknown' });
    await took();
    await decide(workerRun, approvalId, 'sign');
    expect(typeof (await answer)).toBe('object');
  });

  test('a blocked site causes no request for a key', async () => {
    const workerRun = await openWallet(network, []);
    await startNames(workerRun.profile);
    const host = await startHost(workerRun.profile);
    await workerRun.modules.handlers
      .walletHandlers(wallet)
      ['sites/block']({ origin: 'https://shop.example', hours: null });
    expect(
      await ask(workerRun, 'request-1', only({ name: 'a', method: 'encrypt', data: 'x', paymail: 'bob@pay.example' })),
    ).toBe('site-blocked');
    expect(host.asked).toEqual([]);
  });

  test('a site with an open window causes no request for another key', async () => {
    const workerRun = await openWallet(network, []);
    await startNames(workerRun.profile);
    const host = await startHost(workerRun.profile);
    void ask(workerRun, 'request-1', only({ name: 'a', method: 'sign', data: 'x' }));
    await approvalOf(workerRun);
    expect(
      await ask(workerRun, 'request-2', only({ name: 'a', method: 'encrypt', data: 'x', paymail: 'bob@pay.example' })),
    ).toBe('busy');
    expect(host.asked).toEqual([]);
  });
});

describe('a locked wallet', () => {
  test('a locked wallet must be unlocked first, then shows the new data, and gives time to read it', async () => {
    const workerRun = await openWallet(network, []);
    const secret = await sealedFor(workerRun);
    await workerRun.modules.vault.lock(wallet);
    const answer = ask(
      workerRun,
      'request-1',
      only({ name: 'a', method: 'decrypt', data: secret }, { name: 'b', method: 'sign', data: 'x' }),
    );
    const { approvalId, view } = await read(workerRun);
    expect(view).toMatchObject({
      kind: 'operations',
      locked: true,
      problem: null,
      operations: [{ value: null }, { value: null }],
    });
    await took();
    await expect(decide(workerRun, approvalId, 'sign')).rejects.toMatchObject({ code: 'wallet-locked' });
    await workerRun.modules.vault.unlock(wallet, PASSWORD);
    // The user approves right after unlocking, before the results were displayed.
    await expect(decide(workerRun, approvalId, 'sign')).rejects.toMatchObject({ code: 'too-soon' });
    expect((await agreeTooSoon(workerRun)).operations[0]?.value).toMatchObject({ text: SECRET });
    await took();
    await decide(workerRun, approvalId, 'sign');
    expect(((await answer) as PaymentResult).cryptoOperations.map(({ value }) => value)).toEqual([
      SECRET,
      expect.stringMatching(/=$/),
    ]);
  });

  test('a locked wallet signs immediately when it is unlocked, because the text was already readable', async () => {
    const workerRun = await openWallet(network, []);
    await workerRun.modules.vault.lock(wallet);
    const answer = ask(workerRun, 'request-1', only({ name: 'a', method: 'sign', data: 'x' }));
    const { approvalId } = await read(workerRun);
    await took();
    await workerRun.modules.vault.unlock(wallet, PASSWORD);
    await decide(workerRun, approvalId, 'sign');
    expect(((await answer) as PaymentResult).cryptoOperations[0]?.value).toMatch(/=$/);
  });

  test('a locked wallet quotes with placeholders of the right length, so the displayed fee is the maximum', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const secret = await sealedFor(workerRun);
    await workerRun.modules.vault.lock(wallet);
    const options: PaymentOptions = {
      outputs: [
        { script: 'OP_FALSE OP_RETURN #{mark} #{opened}', amount: '0', currency: 'BSV' },
        { to: someone(), amount: '0.0001', currency: 'BSV' },
      ],
      cryptoOperations: [
        { name: 'mark', method: 'sign', data: 'x' },
        { name: 'opened', method: 'decrypt', data: secret, valueEncoding: 'hex' },
      ],
    };
    const answer = ask(workerRun, 'request-1', options);
    const { approvalId, view } = await read(workerRun);
    const shown = BigInt((view as ApprovalView).feeSatoshis ?? 0);
    await took();
    await workerRun.modules.vault.unlock(wallet, PASSWORD);
    await expect(decide(workerRun, approvalId, 'pay')).rejects.toMatchObject({ code: 'too-soon' });
    const later = (await agreeTooSoon(workerRun)) as ApprovalView;
    expect(later.operations[1]).toMatchObject({ value: { text: SECRET }, onChain: true });
    expect(BigInt(later.feeSatoshis ?? 0)).toBeLessThanOrEqual(shown);
    await took();
    await decide(workerRun, approvalId, 'pay');
    const { payment, cryptoOperations } = (await answer) as PaymentResult;
    const [mark, opened] = cryptoOperations;
    const data = parseTransactionHex(payment?.rawtx ?? '').outputs.find(({ satoshis }) => satoshis === 0n);
    const pushes = readChunks(data?.lockingScript ?? new Uint8Array()).chunks.flatMap((chunk) =>
      chunk.data ? [new TextDecoder().decode(chunk.data)] : [],
    );
    expect(pushes).toEqual(['', mark?.value, SECRET]);
    expect(opened?.value).toBe(toHex(new TextEncoder().encode(SECRET)));
  });
});

describe('[S-03] before the user’s window', () => {
  test('nothing is decrypted or signed for a page, so timing does not reveal whose key it is', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const operations: CryptoOperation[] = [
      { name: 'a', method: 'decrypt', data: await sealedFor(workerRun) },
      { name: 'b', method: 'sign', data: 'x' },
    ];
    for (const [id, options] of [
      ['request-1', only(...operations)],
      ['request-2', { ...pay(someone(), 1000), cryptoOperations: operations }],
    ] as const) {
      const answer = ask(workerRun, id, options);
      const approvalId = await approvalOf(workerRun);
      expect(await everythingStored(workerRun)).not.toContain(SECRET);
      await decide(workerRun, approvalId, 'refuse');
      await answer;
      for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    }
  });

  test('data that is too large is rejected regardless of the plaintext', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const foreign = toHex(
      Uint8Array.from(
        ECIES.electrumEncrypt(
          [...new TextEncoder().encode('x'.repeat(16))],
          PrivateKey.fromHex('05'.repeat(32)).toPublicKey(),
        ),
      ),
    );
    // The plaintext has 16 bytes. The ciphertext's length would allow up to 31 bytes, which would make the scripts too
    // large.
    const script = `OP_FALSE OP_RETURN ${'#{a}'.repeat(3500)}`;
    for (const [id, data] of [
      ['request-1', await sealedFor(workerRun, 'x'.repeat(16))],
      ['request-2', foreign],
    ] as const) {
      const outputs = [script, script].map((one) => ({ script: one, amount: '0', currency: 'BSV' }));
      expect(
        await Promise.race([
          ask(workerRun, id, { outputs, cryptoOperations: [{ name: 'a', method: 'decrypt', data }] }),
          approvalOf(workerRun),
        ]),
      ).toBe('data-too-large');
    }
  });
});

describe('[R-18] [P-11] operations of a payment', () => {
  const letter = async (workerRun: WorkerRun): Promise<PaymentOptions> => ({
    outputs: [
      { to: someone(), amount: '0.0001', currency: 'BSV' },
      { script: 'OP_FALSE OP_RETURN 6c6574746572 #{sealed} #{mark}', amount: '0', currency: 'BSV' },
    ],
    cryptoOperations: [
      { name: 'sealed', method: 'encrypt', data: SECRET },
      { name: 'mark', method: 'sign', data: 'from me' },
      { name: 'opened', method: 'decrypt', data: await sealedFor(workerRun, 'nobody else reads this') },
    ],
  });

  test('[S-01] results are in the payment’s scripts and in its object, the window shows them, and the service never gets plaintext', async () => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    await give(workerRun, { limit: 10n ** 12n });
    await give(workerRun, { limit: 10n ** 12n, kind: 'swipe', id: 'token-of-swipes-1' });
    const options = await letter(workerRun);
    const answer = ask(workerRun, 'request-1', options, { automatic: true }); // no allowance applies
    const view = (await agree(workerRun)) as ApprovalView;
    expect(
      view.operations.map(({ name, data, value, onChain }) => [name, data?.text ?? null, value?.text ?? null, onChain]),
    ).toEqual([
      ['sealed', SECRET, null, true],
      ['mark', 'from me', null, true],
      ['opened', null, 'nobody else reads this', false],
    ]);
    expect(view.outputs[1]?.scripts[0]).toMatchObject({
      kind: 'nobody',
      data: [{ text: 'letter' }, { text: expect.stringMatching(/=$/) }],
    });
    const { payment, cryptoOperations } = (await answer) as PaymentResult;
    expect(payment?.cryptoOperations).toEqual(cryptoOperations);
    const [sealed, mark, opened] = cryptoOperations;
    expect(opened?.value).toBe('nobody else reads this');
    const data = parseTransactionHex(payment?.rawtx ?? '').outputs.find(({ satoshis }) => satoshis === 0n);
    const pushes = readChunks(data?.lockingScript ?? new Uint8Array()).chunks.flatMap((chunk) =>
      chunk.data ? [toHex(chunk.data)] : [],
    );
    expect(pushes).toEqual(['', '6c6574746572', sealed?.value, toHex(new TextEncoder().encode(mark?.value ?? ''))]);
    expect(payment?.outputs[1]).toMatchObject({
      type: 'SCRIPT',
      satoshis: '0',
      script: `OP_FALSE OP_RETURN 6c6574746572 ${pushes[2]} ${pushes[3]}`,
    });
    const report = network.reports.get(payment?.id ?? '') as { cryptoOperations: CryptoResult[] };
    expect(report.cryptoOperations).toEqual([sealed, mark, { ...(opened as CryptoResult), value: null }]);
    expect(JSON.stringify(report)).not.toContain(SECRET);
    expect(JSON.stringify(report)).not.toContain('nobody else reads this');
    expect(await ask(workerRun, 'request-1', options, { automatic: true })).toMatchObject({ cryptoOperations });
  });

  test('a rejected payment leaves no results of its operations', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answer = ask(workerRun, 'request-1', await letter(workerRun));
    const { approvalId } = await read(workerRun);
    expect(await everythingStored(workerRun)).toContain('nobody else reads this');
    await decide(workerRun, approvalId, 'refuse');
    expect(await answer).toBe('refused');
    expect((await stored(workerRun)).payments[0]?.operations).toBeNull();
    expect(await everythingStored(workerRun)).not.toContain('nobody else reads this');
  });

  test.each<[string, string, string]>([
    ['a value of no operation', 'OP_FALSE OP_RETURN #{other}', 'invalid-operation'],
    ['a value that is no push', 'OP_FALSE OP_RETURN OP_#{mark}', 'invalid-recipient'],
  ])('[R-05] operations with %s are rejected before anything is shown', async (_, script, code) => {
    const workerRun = await openWallet(network, [1_000_000]);
    expect(
      await ask(workerRun, 'request-1', {
        ...(await letter(workerRun)),
        outputs: [{ script, amount: '0', currency: 'BSV' }],
      }),
    ).toBe(code);
    expect(await ask(workerRun, 'request-2', { outputs: [{ script, amount: '0', currency: 'BSV' }] })).toBe(code);
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });
});
