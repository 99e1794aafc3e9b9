import { BSM, ECIES, PrivateKey, PublicKey, Signature } from '@bsv/sdk';
import { describe, expect, test, vi } from 'vitest';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import type { PageResults } from '../../../protocol/page-messages.ts';
import {
  cryptoResult,
  type CryptoOperation,
  type CryptoResult,
  type PaymentOptions,
} from '../../../protocol/payment.ts';
import { parseTransactionHex } from '../../../protocol/transaction.ts';
import type { ApprovalView, OperationsPromptView } from '../../../protocol/wallet-messages.ts';
import { readChunks } from '../recipients/script-chunks.ts';
import { HOST_KEY, startHost, startNames } from '../testing/hosts.ts';
import { endAllWorkerRuns, type WorkerRun } from '../testing/worker-run.ts';
import { useNetwork } from '../testing/network.ts';
import { approvalOf, approvals, give, openWallet, PASSWORD, pay, stored, someone } from '../testing/wallet.ts';
import { holdTime } from '../testing/clock.ts';

const network = useNetwork();

type Answer = PageResults['payment/request'];
type View = ApprovalView | OperationsPromptView;
interface By {
  origin?: string;
  client?: object;
  automatic?: boolean;
}

const SECRET = 'the treasure lies under the old oak';

/** What a page gets for a request, or the code of its error. */
function ask(
  workerRun: WorkerRun,
  id: string,
  options: PaymentOptions,
  { origin = 'https://shop.example', client = {}, automatic = false }: By = {},
): Promise<Answer | string> {
  const sender = { origin, client, message: crypto.randomUUID(), userActivation: 'new' as const, isTop: true };
  return workerRun.modules.pages.pageHandlers['payment/request']({ id, options, automatic }, sender).catch(
    (error: { code?: string }) => error.code ?? Promise.reject(error as Error),
  );
}
const only = (...cryptoOperations: CryptoOperation[]): PaymentOptions => ({ outputs: [], cryptoOperations });

/** The window of the one question that is open, as it reads it. */
async function read(workerRun: WorkerRun): Promise<{ approvalId: string; view: View }> {
  const approvalId = await approvalOf(workerRun);
  return {
    approvalId,
    view: (await workerRun.modules.handlers.walletHandlers['approval/read']({ approvalId })) as View,
  };
}
const decide = (workerRun: WorkerRun, approvalId: string, decision: 'sign' | 'pay' | 'refuse') =>
  workerRun.modules.handlers.walletHandlers['approval/decide']({ approvalId, decision });
const took = () => new Promise((resolve) => setTimeout(resolve, 520));

/**
 * Reads the window, which shows something new, and says yes in the same moment, however long the machine takes: that
 * counts for nothing.
 */
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

/** The user reads the window and says yes; it closes. */
async function agree(workerRun: WorkerRun): Promise<View> {
  const { approvalId, view } = await read(workerRun);
  await took();
  await decide(workerRun, approvalId, view.kind === 'operations' ? 'sign' : 'pay');
  for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
  return view;
}

async function results(workerRun: WorkerRun, ...operations: CryptoOperation[]): Promise<CryptoResult[]> {
  const answer = ask(workerRun, 'request-1', only(...operations));
  await agree(workerRun);
  return ((await answer) as Answer).cryptoOperations;
}

const identityOf = async (workerRun: WorkerRun) => (await workerRun.modules.vault.publicKeys()).identity;
/** Encrypted by another library for the wallet's identity. */
const sealedFor = async (workerRun: WorkerRun, text = SECRET) =>
  toHex(
    Uint8Array.from(
      ECIES.electrumEncrypt([...new TextEncoder().encode(text)], PublicKey.fromString(await identityOf(workerRun))),
    ),
  );
const everythingStored = async (workerRun: WorkerRun) => {
  const db = await workerRun.modules.database.database();
  const all = await Promise.all((['prompts', 'requests', 'payments'] as const).map((store) => db.getAll(store)));
  return JSON.stringify(all.flat(), (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
};

describe('[S-03] [S-04] [S-05] [S-06] [R-19] operations without a payment', () => {
  test('give what each is for, in order, numbered, in one shape', async () => {
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
    const { paymail } = (await workerRun.modules.database.readKey('account')) as { paymail: string };
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

  /** A later request of another name. */
  async function again(workerRun: WorkerRun): Promise<WorkerRun> {
    await workerRun.modules.database.inTransaction((tx) => tx.objectStore('prompts').clear());
    return workerRun;
  }

  test('verify a signature by key, by paymail, and by both only where both fit', async () => {
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

  test('encrypt for a paymail’s key, which its own host gives, or for a key', async () => {
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
    } = (await answer) as Answer;
    const opened = (result: CryptoResult | undefined, key: PrivateKey) =>
      new TextDecoder().decode(Uint8Array.from(ECIES.electrumDecrypt([...fromHex(result?.value ?? '')], key)));
    expect([opened(toPaymail, theirs), opened(toKey, other)]).toEqual([SECRET, SECRET]);
    expect(toPaymail).toMatchObject({ data: null, paymail: 'bob@pay.example', publicKey: host.key });
    expect(toKey).toMatchObject({ data: null, paymail: null, publicKey: other.toPublicKey().toString() });
    // A paymail that is not there, or a host that is not: said at once, before any window.
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

  test('tell where a paymail has another key than it had, and the page learns nothing of what the wallet remembers', async () => {
    const workerRun = await openWallet(network, []);
    await startNames(workerRun.profile);
    await startHost(workerRun.profile);
    await workerRun.modules.database.inTransaction((tx) =>
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

  test('[R-13] take 99,000 bytes, and no more', async () => {
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
    expect(((await answer) as Answer).cryptoOperations[0]?.value).toBe(data);
    expect(await ask(workerRun, 'request-3', only({ name: 'a', method: 'sign', data: `${data}x` }))).toBe(
      'data-too-large',
    );
  });

  test('that cannot be run open no window and leave nothing', async () => {
    const workerRun = await openWallet(network, []);
    expect(await ask(workerRun, 'request-1', only({ name: 'a', method: 'sign', data: 'ab'.repeat(32) }))).toBe(
      'forbidden-data',
    );
    expect(await ask(workerRun, 'request-1', only({ name: 'a', method: 'decrypt', data: 'beef' }))).toBe(
      'operation-failed',
    ); // was never encrypted
    expect(await ask(workerRun, 'request-1', { ...only({ name: 'a', method: 'address' }), opReturn: 'x' })).toBe(
      'invalid-operation',
    ); // nothing would be written
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    expect(await everythingStored(workerRun)).toBe('[]');
  });

  test('whose script no operation fills ask nobody for a key, and open no window', async () => {
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

  test('the same request again is the same answer, and no other request has its id', async () => {
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

  test('a rejection, a closed window and a closed page give no result and leave nothing behind', async () => {
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
    await workerRun.modules.prompts.clientGone(client);
    expect(await third).toBe('page-gone');
    expect(await everythingStored(workerRun)).not.toContain(SECRET);
    // A person comes back and swipes again: a new wish.
    const fourth = ask(workerRun, 'request-3', options);
    await agree(workerRun);
    expect(((await fourth) as Answer).cryptoOperations[0]?.value).toBe(SECRET);
  });

  test('are in the activity after the yes, with what was signed and never what was decrypted; not in the export', async () => {
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
    const rows = async (filter = {}) => (await walletHandlers['activity/list']({ limit: 20, ...filter })).items;
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
    expect(JSON.stringify(await (await workerRun.modules.database.database()).getAll('operations'))).not.toContain(
      SECRET,
    );
    expect(await rows({ search: 'notary agree' })).toHaveLength(1);
    for (const filter of [{ search: 'nothing' }, { direction: 'sent' }, { status: 'COMPLETED' }] as const)
      expect(await rows(filter)).toEqual([]);
    expect((await walletHandlers['activity/export']({})).items).toEqual([]);
  });

  test('are kept up to a number, the latest, and of each text the beginning', async () => {
    const workerRun = await openWallet(network, []);
    const { recordOperations, MOST_KEPT } = await import('./record.ts');
    const outcome = { id: '1', method: 'sign', data: 'é'.repeat(5000), dataEncoding: 'utf8' } as never;
    for (let n = 0; n < MOST_KEPT + 3; n += 1) {
      vi.mocked(Date.now).mockReturnValue(1_800_000_000_000 + n);
      await workerRun.modules.database.inTransaction((tx) =>
        recordOperations(tx, `https://${n}.example`, null, [outcome]),
      );
    }
    const kept = await (await workerRun.modules.database.database()).getAll('operations');
    expect(kept).toHaveLength(MOST_KEPT);
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
    await workerRun.modules.handlers.walletHandlers['sites/block']({ origin: 'https://shop.example', hours: null });
    expect(
      await ask(workerRun, 'request-1', only({ name: 'a', method: 'encrypt', data: 'x', paymail: 'bob@pay.example' })),
    ).toBe('site-blocked');
    expect(host.asked).toEqual([]);
  });

  test('a site whose window is open asks nobody for another key', async () => {
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
  test('asks to be unlocked first, shows what is new, and gives time to read it', async () => {
    const workerRun = await openWallet(network, []);
    const secret = await sealedFor(workerRun);
    await workerRun.modules.vault.lock();
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
    await workerRun.modules.vault.unlock(PASSWORD);
    // Unlocked and agreed in one go, as the window does it: what came out was on no screen yet.
    await expect(decide(workerRun, approvalId, 'sign')).rejects.toMatchObject({ code: 'too-soon' });
    expect((await agreeTooSoon(workerRun)).operations[0]?.value).toMatchObject({ text: SECRET });
    await took();
    await decide(workerRun, approvalId, 'sign');
    expect(((await answer) as Answer).cryptoOperations.map(({ value }) => value)).toEqual([
      SECRET,
      expect.stringMatching(/=$/),
    ]);
  });

  test('signs at once when it is unlocked: the text was there to be read', async () => {
    const workerRun = await openWallet(network, []);
    await workerRun.modules.vault.lock();
    const answer = ask(workerRun, 'request-1', only({ name: 'a', method: 'sign', data: 'x' }));
    const { approvalId } = await read(workerRun);
    await took();
    await workerRun.modules.vault.unlock(PASSWORD);
    await decide(workerRun, approvalId, 'sign');
    expect(((await answer) as Answer).cryptoOperations[0]?.value).toMatch(/=$/);
  });

  test('pays with stand-ins of the right length until it is unlocked: the fee on the screen is what is paid at most', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const secret = await sealedFor(workerRun);
    await workerRun.modules.vault.lock();
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
    await workerRun.modules.vault.unlock(PASSWORD);
    await expect(decide(workerRun, approvalId, 'pay')).rejects.toMatchObject({ code: 'too-soon' });
    const later = (await agreeTooSoon(workerRun)) as ApprovalView;
    expect(later.operations[1]).toMatchObject({ value: { text: SECRET }, onChain: true });
    expect(BigInt(later.feeSatoshis ?? 0)).toBeLessThanOrEqual(shown);
    await took();
    await decide(workerRun, approvalId, 'pay');
    const { payment, cryptoOperations } = (await answer) as Answer;
    const [mark, opened] = cryptoOperations;
    const data = parseTransactionHex(payment?.rawtx ?? '').outputs.find(({ satoshis }) => satoshis === 0n);
    const pushes = readChunks(data?.lockingScript ?? new Uint8Array()).chunks.flatMap((chunk) =>
      chunk.data ? [new TextDecoder().decode(chunk.data)] : [],
    );
    expect(pushes).toEqual(['', mark?.value, SECRET]);
    expect(opened?.value).toBe(toHex(new TextEncoder().encode(SECRET)));
  });
});

describe('what fails by the user’s key', () => {
  test('is shown to the user, and to the page only as a rejection: otherwise it would learn whose key it is', async () => {
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

describe('[S-03] before the user’s window', () => {
  test('nothing is decrypted or signed for a page, so that the time it takes does not reveal whose key it is', async () => {
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

  test('what is too large is so whatever the plaintext turns out to be', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const foreign = toHex(
      Uint8Array.from(
        ECIES.electrumEncrypt(
          [...new TextEncoder().encode('x'.repeat(16))],
          PrivateKey.fromHex('05'.repeat(32)).toPublicKey(),
        ),
      ),
    );
    // Sixteen bytes, but by its length alone it could be 31, and then it would be too much.
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

  test('[S-01] stand in its scripts and in its object; the window shows them, the service never learns plaintext', async () => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    await give(workerRun, { limit: 10n ** 12n });
    await give(workerRun, { limit: 10n ** 12n, kind: 'swipe', id: 'token-of-swipes-1' });
    const options = await letter(workerRun);
    const answer = ask(workerRun, 'request-1', options, { automatic: true }); // no allowance is for this
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
    const { payment, cryptoOperations } = (await answer) as Answer;
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

  test('refused, leave nothing of what they gave', async () => {
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
  ])('[R-05] with %s are refused before anything is shown', async (_, script, code) => {
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
    } = (await answer) as Answer;
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
  /** The user agrees to whatever is open, until this run is over. A run that was cut off has the user wait for ever. */
  async function agreeing(workerRun: WorkerRun, isOver: () => boolean): Promise<void> {
    while (!workerRun.dead && !isOver()) {
      await agree(workerRun).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  test('a payment with operations gives one answer at any crash point, however often it is asked for', async () => {
    const stride = 13;
    const failures: string[] = [];
    for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += stride) {
      let workerRun = await openWallet(network, [100_000]);
      const options = { ...pay(someone(), 1000), cryptoOperations: await operations(workerRun) };
      workerRun.dieAt(n);
      let deaths = 0;
      let answer: Answer | string | null = null;
      while (answer === null || answer === 'payment-pending') {
        const current = workerRun;
        void agreeing(current, () => answer !== null);
        answer = await current.untilDeath(() => ask(current, 'request-1', options));
        if (answer !== null) continue;
        deaths += 1;
        workerRun = await workerRun.profile.start();
      }
      if (deaths === 0) crashPoints = workerRun.crashPoints.length;
      if (workerRun.dead) workerRun = await workerRun.profile.start(); // as it answered
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
