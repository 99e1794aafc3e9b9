import { BSM, ECIES, PrivateKey, PublicKey, Signature } from '@bsv/sdk';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import {
  cryptoResult,
  type CryptoOperation,
  type CryptoResult,
  type PaymentOptions,
} from '../../protocol/payments/payment.ts';
import { HOST_KEY, startHost, startNames } from '../../testkit/network/hosts.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { approvals, openWallet, pay, someone } from '../../testkit/wallet/wallet.ts';
import {
  network,
  type PaymentResult,
  SECRET,
  ask,
  only,
  read,
  decide,
  took,
  agree,
  identityOf,
  sealedFor,
} from './testing-operations.ts';
import { wallet } from '../../testkit/wallet/current.ts';

async function results(workerRun: WorkerRun, ...operations: CryptoOperation[]): Promise<CryptoResult[]> {
  const answer = ask(workerRun, 'request-1', only(...operations));
  await agree(workerRun);
  return ((await answer) as PaymentResult).cryptoOperations;
}

describe('[S-03] [S-04] [S-05] [S-06] [R-19] operations without a payment', () => {
  test('operations return their results in order, numbered, in one format', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const identity = await identityOf(workerRun);
    const own = {
      key: 'identity',
      publicKey: identity,
      paymail: 'alice@127.0.0.1',
      dataEncoding: null,
      signature: null,
      verified: null,
      data: null,
      algorithm: null,
    };
    const secret = await sealedFor(workerRun);
    const given = await results(
      workerRun,
      { name: 'mark', method: 'sign', data: 'Grüße' },
      { name: 'opened', method: 'decrypt', data: secret },
      { name: 'sealed', method: 'encrypt', data: 'c0ffee', dataEncoding: 'hex' },
      { name: 'key', method: 'public-key' },
      { name: 'address', method: 'address' },
      { name: 'paymail', method: 'paymail' },
      { name: 'bytes', method: 'decrypt', data: secret, valueEncoding: 'hex' },
    );
    const { paymail } = (await workerRun.modules.database.readKey(wallet, 'account')) as { paymail: string };
    const me = { ...own, paymail };
    expect(given).toEqual([
      {
        ...me,
        id: '1',
        name: 'mark',
        method: 'sign',
        data: 'Grüße',
        dataEncoding: 'utf8',
        value: given[0]?.signature,
        valueEncoding: 'base64',
        algorithm: 'bitcoin-signed-message',
        signature: expect.stringMatching(/^[A-Za-z0-9+/]{87}=$/),
      },
      {
        ...me,
        id: '2',
        name: 'opened',
        method: 'decrypt',
        dataEncoding: 'hex',
        value: SECRET,
        valueEncoding: 'utf8',
        algorithm: 'electrum-ecies',
      },
      {
        ...me,
        id: '3',
        name: 'sealed',
        method: 'encrypt',
        dataEncoding: 'hex',
        value: expect.stringMatching(/^42494531[0-9a-f]+$/),
        valueEncoding: 'hex',
        algorithm: 'electrum-ecies',
      },
      { ...me, id: '4', name: 'key', method: 'public-key', value: identity, valueEncoding: 'hex' },
      {
        ...me,
        id: '5',
        name: 'address',
        method: 'address',
        value: PublicKey.fromString(identity).toAddress('testnet'),
        valueEncoding: 'utf8',
      },
      { ...me, id: '6', name: 'paymail', method: 'paymail', value: paymail, valueEncoding: 'utf8' },
      {
        ...me,
        id: '7',
        name: 'bytes',
        method: 'decrypt',
        dataEncoding: 'hex',
        value: toHex(new TextEncoder().encode(SECRET)),
        valueEncoding: 'hex',
        algorithm: 'electrum-ecies',
      },
    ]);
    for (const one of given) expect(cryptoResult.safeParse(one).success).toBe(true);
    const signature = Signature.fromCompact(given[0]?.value ?? '', 'base64');
    expect(BSM.verify([...new TextEncoder().encode('Grüße')], signature, PublicKey.fromString(identity))).toBe(true);
    const [opened] = await results(await again(workerRun), {
      name: 'back',
      method: 'decrypt',
      data: given[2]?.value ?? '',
      valueEncoding: 'base64',
    });
    expect(opened?.value).toBe('wP/u');
  });

  /** Deletes earlier prompts, so the next request is a new one. */
  async function again(workerRun: WorkerRun): Promise<WorkerRun> {
    await workerRun.modules.database.inTransaction(wallet, (tx) => tx.objectStore('prompts').clear());
    return workerRun;
  }

  test('operations verify a signature by key, by paymail, and by both only if both match', async () => {
    const workerRun = await openWallet(network, []);
    await startNames(workerRun.profile);
    const host = await startHost(workerRun.profile);
    const key = PrivateKey.fromHex('07'.repeat(32));
    host.key = key.toPublicKey().toString();
    const signature = BSM.sign([...new TextEncoder().encode('hello')], key, 'base64') as string;
    const verify = { method: 'verify' as const, data: 'hello', signature };
    const [byKey, byPaymail, byBoth, otherKey, otherData, noSignature] = await results(
      workerRun,
      { ...verify, name: 'a', publicKey: host.key.toUpperCase() },
      { ...verify, name: 'b', paymail: 'Bob@pay.example' },
      { ...verify, name: 'c', paymail: 'bob@pay.example', publicKey: host.key },
      { ...verify, name: 'd', paymail: 'bob@pay.example', publicKey: HOST_KEY },
      { ...verify, name: 'e', data: 'hello!', publicKey: host.key },
      { ...verify, name: 'f', signature: 'none', publicKey: host.key },
    );
    const yes = {
      value: '01',
      valueEncoding: 'hex',
      verified: true,
      signature,
      algorithm: 'bitcoin-signed-message',
      publicKey: host.key,
    };
    expect(byKey).toMatchObject({ ...yes, paymail: null });
    expect(byPaymail).toMatchObject({ ...yes, paymail: 'bob@pay.example' });
    expect(byBoth).toMatchObject({ ...yes, paymail: 'bob@pay.example' });
    expect(otherKey).toMatchObject({ value: '00', verified: false, publicKey: HOST_KEY, paymail: 'bob@pay.example' });
    expect([otherData, noSignature].map((one) => one?.verified)).toEqual([false, false]);
  });

  test('[R-13] operations accept 99,000 bytes, and no more', async () => {
    const workerRun = await openWallet(network, []);
    const data = 'ü'.repeat(49_500);
    const [sealed, mark] = await results(
      workerRun,
      { name: 'a', method: 'encrypt', data },
      { name: 'b', method: 'sign', data },
    );
    expect(
      BSM.verify(
        [...new TextEncoder().encode(data)],
        Signature.fromCompact(mark?.value ?? '', 'base64'),
        PublicKey.fromString(await identityOf(workerRun)),
      ),
    ).toBe(true);
    const answer = ask(workerRun, 'request-2', only({ name: 'a', method: 'decrypt', data: sealed?.value ?? '' }));
    expect((await agree(workerRun)).operations[0]?.value?.bytes).toBe(99_000);
    expect(((await answer) as PaymentResult).cryptoOperations[0]?.value).toBe(data);
    expect(await ask(workerRun, 'request-3', only({ name: 'a', method: 'sign', data: `${data}x` }))).toBe(
      'data-too-large',
    );
  });
});

describe('failures of operations with the user’s key', () => {
  test('a failure is shown to the user, and to the page only as a rejection, so it doesn’t reveal the key’s owner', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const foreign = toHex(
      Uint8Array.from(ECIES.electrumEncrypt([1, 2, 3], PrivateKey.fromHex('05'.repeat(32)).toPublicKey())),
    );
    const rows: [string, PaymentOptions, string][] = [
      ['request-1', only({ name: 'a', method: 'decrypt', data: foreign }), 'operation-failed'],
      [
        'request-2',
        only({
          name: 'a',
          method: 'decrypt',
          data: toHex(
            Uint8Array.from(ECIES.electrumEncrypt([0xff], PublicKey.fromString(await identityOf(workerRun)))),
          ),
        }),
        'operation-failed',
      ],
      ['request-3', only({ name: 'a', method: 'paymail' }), 'unknown-account'],
      [
        'request-4',
        { ...pay(someone(), 1000), cryptoOperations: [{ name: 'a', method: 'decrypt', data: foreign }] },
        'operation-failed',
      ],
    ];
    for (const [id, options, problem] of rows) {
      const answer = ask(workerRun, id, options);
      const { approvalId, view } = await read(workerRun);
      expect(view.problem?.code).toBe(problem);
      await took();
      await expect(decide(workerRun, approvalId, view.kind === 'payment' ? 'pay' : 'sign')).rejects.toMatchObject({
        code: problem,
      });
      await decide(workerRun, approvalId, 'refuse');
      expect(await answer).toBe(view.kind === 'payment' ? 'refused' : 'operation-refused');
      for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    }
  });
});

describe('[R-18] [P-11] operations of a payment', () => {
  test('[R-13] a value of 99,000 bytes is written', async () => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    const answer = ask(workerRun, 'request-1', {
      outputs: [{ script: 'OP_FALSE OP_RETURN #{sealed}', amount: '0', currency: 'USD' }],
      cryptoOperations: [{ name: 'sealed', method: 'encrypt', data: 'x'.repeat(98_900) }],
    });
    await agree(workerRun);
    const {
      payment,
      cryptoOperations: [sealed],
    } = (await answer) as PaymentResult;
    expect(payment).toMatchObject({ satoshis: '0', amount: '0' });
    expect(payment?.rawtx).toContain(sealed?.value);
    expect(network.reports.has(payment?.id ?? '')).toBe(true);
  });
});

describe('when the worker is stopped', () => {
  const operations = async (workerRun: WorkerRun): Promise<CryptoOperation[]> => [
    { name: 'sealed', method: 'encrypt', data: 'x' },
    { name: 'mark', method: 'sign', data: 'y' },
    { name: 'opened', method: 'decrypt', data: await sealedFor(workerRun) },
  ];
  /**
   * Approves every prompt until the worker stops. Otherwise, a prompt left open by a stopped worker would never be
   * decided.
   */
  async function agreeing(workerRun: WorkerRun, isOver: () => boolean): Promise<void> {
    while (!workerRun.dead && !isOver()) {
      await agree(workerRun).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  test('a payment with operations returns the same response at any crash point, after any number of repetitions', async () => {
    const stride = 13;
    const failures: string[] = [];
    for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += stride) {
      let workerRun = await openWallet(network, [100_000]);
      const options = { ...pay(someone(), 1000), cryptoOperations: await operations(workerRun) };
      workerRun.dieAt(n);
      let deaths = 0;
      let answer: PaymentResult | string | null = null;
      while (answer === null || answer === 'payment-pending') {
        const current = workerRun;
        void agreeing(current, () => answer !== null);
        answer = await current.untilDeath(() => ask(current, 'request-1', options));
        if (answer !== null) continue;
        deaths += 1;
        workerRun = await workerRun.profile.start();
      }
      if (deaths === 0) crashPoints = workerRun.crashPoints.length;
      if (workerRun.dead) workerRun = await workerRun.profile.start(); // must return the same response
      const { cryptoOperations: given = [] } = typeof answer === 'object' ? answer : {};
      const asked = await ask(workerRun, 'request-1', options);
      const isWhole =
        given.length === 3 &&
        given.every(({ value }) => value !== null) &&
        given[2]?.value === SECRET &&
        typeof asked === 'object' &&
        JSON.stringify(asked.cryptoOperations) === JSON.stringify(given);
      if (!isWhole) failures.push(`crash point ${n}: ${JSON.stringify(answer)}, then ${JSON.stringify(asked)}`);
      endAllWorkerRuns();
      network.reset();
    }
    expect(failures).toEqual([]);
  });
});
