import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { MAX_CONTACTS } from '../../protocol/payments/limits.ts';
import type { ContactView, SendRecipient, ShownOutput } from '../../protocol/messages/wallet-messages.ts';
import { HOST_KEY, startHost, startNames, type TestHost } from '../../testkit/network/hosts.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import {
  approvalOf,
  ask,
  decline,
  openWallet,
  pay,
  PASSWORD,
  paymentView,
  someone,
} from '../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import type { Contact } from './contact.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();
const BOB = 'bob@pay.example';
const OTHER_KEY = `03${HOST_KEY.slice(2)}`;

const handlers = (workerRun: WorkerRun) => workerRun.modules.handlers.walletHandlers(wallet);
const save = (workerRun: WorkerRun, to: string, name: string, id: string | null = null) =>
  handlers(workerRun)['contacts/save']({ id, to, name });
const list = async (workerRun: WorkerRun): Promise<ContactView[]> =>
  (await handlers(workerRun)['contacts/list']({})).contacts;
const known = async (workerRun: WorkerRun, paymail = BOB) =>
  (await workerRun.modules.database.database(wallet)).get('paymails', paymail);

async function open(satoshis: readonly number[] = []): Promise<{ workerRun: WorkerRun; host: TestHost }> {
  const workerRun = await openWallet(network, satoshis);
  await startNames(workerRun.profile);
  return { workerRun, host: await startHost(workerRun.profile) };
}

async function quoted(workerRun: WorkerRun, to: string) {
  const recipients: SendRecipient[] = [{ to, amount: '0.0005', currency: 'BSV' }];
  const quote = await handlers(workerRun)['send/quote']({ recipients });
  return { quote, output: quote.outputs[0] as ShownOutput };
}

async function paid(workerRun: WorkerRun, to: string): Promise<void> {
  const { quote } = await quoted(workerRun, to);
  const { outputs, feeSatoshis, time } = quote;
  const sent = outputs.map(({ type, to, amount, currency, satoshis }) => ({ type, to, amount, currency, satoshis }));
  await handlers(workerRun)['send/pay']({
    requestId: crypto.randomUUID(),
    outputs: sent,
    feeSatoshis: feeSatoshis ?? '0',
    time,
  });
}

describe('contacts', () => {
  test('contacts are saved once for each recipient in any notation, changed, listed by name, and removed', async () => {
    const { workerRun } = await open();
    const address = someone();
    await save(workerRun, 'Zoe@Pay.Example', 'Zoe');
    await save(workerRun, ` ${address} `, 'Ann');
    await save(workerRun, 'zoe@pay.example', 'Zoë'.normalize('NFD'));
    expect(await list(workerRun)).toEqual([
      { id: address, to: address, name: 'Ann', elsewhere: null },
      { id: 'zoe@pay.example', to: 'zoe@pay.example', name: 'Zoë', elsewhere: null },
    ]);
    await save(workerRun, BOB, 'Bob', 'zoe@pay.example');
    expect((await list(workerRun)).map(({ to }) => to)).toEqual([address, BOB]);
    expect(await codeOf(save(workerRun, BOB, 'Bob', 'zoe@pay.example'))).toBe('not-found');
    await handlers(workerRun)['contacts/remove']({ id: BOB });
    await handlers(workerRun)['contacts/remove']({ id: BOB });
    expect((await list(workerRun)).map(({ to }) => to)).toEqual([address]);
  });

  test('contacts are people: scripts, mistyped or foreign addresses, and domains without paymails are rejected', async () => {
    const { workerRun, host } = await open();
    host.instead.set('.well-known', { status: 404 });
    const refused = ['OP_1', 'bob', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', BOB];
    expect(await Promise.all(refused.map((to) => codeOf(save(workerRun, to, 'X'))))).toEqual([
      ...Array<string>(3).fill('invalid-recipient'),
      'unknown-recipient',
    ]);
    expect(await list(workerRun)).toEqual([]);
  });

  test('contacts are saved even if the host does not respond, up to a maximum number', async () => {
    const { workerRun, host } = await open();
    host.instead.set('.well-known', { status: 503 });
    await save(workerRun, BOB, 'Bob');
    expect(await known(workerRun)).toBeUndefined();
    const tx = (await workerRun.modules.database.database(wallet)).transaction('contacts', 'readwrite');
    for (let i = 1; i < MAX_CONTACTS; i += 1)
      await tx.store.put({ id: `${i}`, to: `${i}`, name: 'n', service: null, paymail: null } satisfies Contact);
    await tx.done;
    expect(await codeOf(save(workerRun, someone(), 'One more'))).toBe('too-large');
    await save(workerRun, BOB, 'Robert');
    await save(workerRun, someone(), 'Instead', BOB);
    expect(await list(workerRun)).toHaveLength(MAX_CONTACTS);
  });

  test('a user ID belongs to the service where it was saved, even if the service has a new name', async () => {
    const { workerRun } = await open();
    const db = await workerRun.modules.database.database(wallet);
    const id = '42 https://before.example';
    await db.put('contacts', { id, to: '42', name: 'Old', service: 'https://before.example', paymail: null });
    expect(await list(workerRun)).toEqual([{ id, to: '42', name: 'Old', elsewhere: 'before.example' }]);
    await save(workerRun, '42', 'Still there', id);
    expect(await list(workerRun)).toEqual([{ id, to: '42', name: 'Still there', elsewhere: 'before.example' }]);
  });

  test('nothing is saved into a wallet that was removed during a request to a host', async () => {
    const { workerRun } = await open();
    let answer = () => {};
    const fetch = globalThis.fetch;
    const asked = new Promise<void>((resolve) => {
      vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
        if (String(args[0]).includes('/pki/')) {
          resolve();
          await new Promise<void>((go) => (answer = go));
        }
        return fetch(...args);
      });
    });
    // Otherwise, on a busy machine, saving could stop waiting for the host before the wallet is removed.
    const { setTimeout } = wallet;
    vi.spyOn(wallet, 'setTimeout').mockImplementation((run, ms) => setTimeout(ms === 5000 ? () => {} : run, ms));
    const saving = codeOf(save(workerRun, BOB, 'Bob'));
    await asked;
    await handlers(workerRun)['vault/remove']({ password: PASSWORD, leaving: 0 });
    answer();
    expect(await saving).toBe('wallet-not-set-up');
    expect(await (await workerRun.modules.database.database(wallet)).count('contacts')).toBe(0);
    expect(await known(workerRun)).toBeUndefined();
  });
});

describe('before a contact is paid', () => {
  test('a key that differs from the saved one is reported with the fact that it was not paid before, and the payment accepts it', async () => {
    const { workerRun, host } = await open([1_000_000, 1_000_000]);
    await save(workerRun, BOB, 'Bob');
    expect(await known(workerRun)).toMatchObject({ publicKey: HOST_KEY, origin: host.origin, isUnpaid: true });
    host.key = OTHER_KEY;
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000); // responses older than a minute are requested again
    const { output } = await quoted(workerRun, BOB);
    expect(output.contact).toEqual({ name: 'Bob' });
    expect(output.host).toMatchObject({ known: false, keyChangedSince: (await known(workerRun))?.since });
    await paid(workerRun, BOB);
    expect((await quoted(workerRun, BOB)).output.host).toMatchObject({ known: true, keyChangedSince: null });
    expect((await known(workerRun))?.isUnpaid).toBeUndefined();
    // The data stored by a payment remains after the contact is removed.
    await handlers(workerRun)['contacts/remove']({ id: BOB });
    expect((await known(workerRun))?.publicKey).toBe(OTHER_KEY);
  });

  test('a key stays remembered when a user ID with the same paymail is removed or added', async () => {
    const { workerRun } = await open();
    const db = await workerRun.modules.database.database(wallet);
    const id = '42 https://pay.example';
    const asUser: Contact = { id, to: '42', name: 'B', service: 'https://pay.example', paymail: BOB };
    await save(workerRun, BOB, 'Bob');
    await db.put('contacts', asUser);
    await handlers(workerRun)['contacts/remove']({ id });
    expect(await known(workerRun)).toMatchObject({ publicKey: HOST_KEY, isUnpaid: true });
    await db.put('contacts', asUser);
    await db.delete('contacts', BOB);
    await save(workerRun, BOB, 'Bob', id);
    expect(await list(workerRun)).toMatchObject([{ id: BOB }]);
    expect(await known(workerRun)).toMatchObject({ publicKey: HOST_KEY, isUnpaid: true });
    await handlers(workerRun)['contacts/remove']({ id: BOB });
    expect(await known(workerRun)).toBeUndefined();
  });

  test('a host that differs from the saved one is reported, and an unpaid contact leaves no trace', async () => {
    const { workerRun, host } = await open();
    await save(workerRun, BOB, 'Bob');
    const moved = await startHost(workerRun.profile, 'https://elsewhere.example');
    Object.assign(host.capabilities, moved.capabilities);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 7_200_000);
    expect((await quoted(workerRun, BOB)).output.host).toMatchObject({
      host: 'elsewhere.example',
      hostBefore: 'pay.example',
      keyChangedSince: null,
    });
    await handlers(workerRun)['contacts/remove']({ id: BOB });
    expect(await known(workerRun)).toBeUndefined();
  });

  test('the name is shown in the window, the activity and its search, and is sent to no page, host or service', async () => {
    const { workerRun, host } = await open([1_000_000, 1_000_000]);
    await save(workerRun, BOB, 'Robert the Builder');
    await paid(workerRun, BOB);
    const activity = (search?: string) =>
      handlers(workerRun)['activity/list']({ limit: 9, ...(search !== undefined && { search }) });
    const { items } = await activity('builder');
    expect(items).toMatchObject([{ counterparty: BOB, contact: 'Robert the Builder' }]);
    const details = await handlers(workerRun)['activity/read']({ id: items[0]?.id ?? '' });
    expect(details.outputs).toMatchObject([{ to: BOB, contact: 'Robert the Builder' }]);
    expect((await activity('nobody')).items).toEqual([]);

    const answer = ask(workerRun, 'request-shop', pay('BOB@pay.example', 60_000));
    const id = await approvalOf(workerRun);
    expect((await paymentView(workerRun, id)).outputs).toMatchObject([
      { to: 'BOB@pay.example', contact: { name: 'Robert the Builder' } },
    ]);
    await decline(workerRun, id);
    const outside = JSON.stringify([await answer, host.asked, [...network.reports.values()]]);
    expect(outside).toContain('bob@pay.example');
    expect(outside).not.toContain('Builder');
  });
});

test('a sender has the name of a contact only if its host confirms it', async () => {
  const { workerRun } = await open();
  await save(workerRun, BOB, 'Bob');
  const db = await workerRun.modules.database.database(wallet);
  const received = { satoshis: 5n, address: someone(), height: null, unconfirmed: 1, note: null };
  for (const [txid, verified] of [
    ['aa', true],
    ['bb', false],
  ] as const)
    await db.put('receipts', {
      ...received,
      txid,
      createdAt: verified ? 2 : 1,
      sender: { paymail: BOB, verified },
    } as never);
  const { items } = await handlers(workerRun)['activity/list']({ limit: 9 });
  expect(items.map(({ contact }) => contact)).toEqual(['Bob', undefined]);
});
