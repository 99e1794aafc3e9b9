/** Tests attacks through BRC-100 by pages that have no permission, or only a connection. */
import { expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import type { Brc100Method } from '../../protocol/brc100/methods.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { ACTION, call, KEY } from '../drive/applications.ts';
import type { Scene } from '../drive/scene.ts';
import type { Visits } from '../drive/visits.ts';
import { approve, ask, readyApproval, refuse, stored } from '../../tooling/drive/wallet.ts';

interface StoredPayment {
  origin: string;
  signed: { rawtx: string; txid: string } | null;
}

/** Returns arguments of `createAction` that recreate a transaction exactly. */
function copyOf(rawtx: string): object {
  const { version, lockTime, inputs, outputs } = parseTransactionHex(rawtx);
  return {
    description: 'The same again',
    version,
    lockTime,
    inputs: inputs.map(({ txid, vout, unlockingScript, sequence }) => ({
      outpoint: `${txid}.${vout}`,
      inputDescription: 'a coin of mine',
      unlockingScript: toHex(unlockingScript),
      sequenceNumber: sequence,
    })),
    outputs: outputs.map(({ satoshis, lockingScript }) => ({
      satoshis: Number(satoshis),
      lockingScript: toHex(lockingScript),
      outputDescription: 'a coin of mine',
    })),
    options: { noSend: true, randomizeOutputs: false },
  };
}

export function strangers(stage: () => Scene, { openSite }: Visits): void {
  const windows = () => stage().wallet.approvalCount().ever;
  const payments = () => stored<StoredPayment>(stage().page, 'payments');
  const balance = async () => (await ask(stage().page, 'wallet/overview', {})).satoshis;

  async function connected(): Promise<Page> {
    const { page } = await openSite();
    const answer = call(page, 'waitForAuthentication');
    await approve(stage().wallet, undefined, 'permit');
    expect((await answer).result).toEqual({ authenticated: true });
    return page;
  }

  async function pay(page: Page): Promise<string> {
    const answer = call(page, 'createAction', ACTION);
    await approve(stage().wallet);
    return (await answer).result?.txid as string;
  }

  test('a page that repeats the user’s payment takes nothing from the balance, and the user can pay again', async () => {
    const txid = await pay(await connected());
    await stage().mine();
    await ask(stage().page, 'wallet/refresh', {});
    const [had, records] = [await balance(), (await payments()).length];
    const rawtx = (await payments()).find(({ signed }) => signed?.txid === txid)?.signed?.rawtx as string;
    const copier = await connected();
    const before = windows();
    expect((await call(copier, 'createAction', copyOf(rawtx))).error).toMatchObject({ parameter: 'outpoint' });
    expect(windows()).toBe(before);
    await ask(stage().page, 'wallet/refresh', {});
    expect([await balance(), (await payments()).length]).toEqual([had, records]);
    expect(await pay(copier)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('a page that the user has not connected gets one window, no answer, and no row in the activity', async () => {
    const { site, page } = await openSite();
    const input = { outpoint: `${'ab'.repeat(32)}.0`, inputDescription: 'an input', unlockingScript: '51' };
    const calls: [Brc100Method, object][] = [
      ['getPublicKey', { ...KEY, protocolID: [0, 'sealed notes'], counterparty: 'anyone', forSelf: true }],
      ['createSignature', { ...KEY, protocolID: [0, 'sealed notes'], data: [1] }],
      ['createAction', { ...ACTION, inputs: [input], options: { noSend: true } }],
    ];
    const before = windows();
    const answered: string[] = [];
    const answers = calls.map(async ([method, args]) => {
      const answer = await call(page, method, args);
      answered.push(method);
      return answer;
    });
    const approval = await readyApproval(stage().wallet, 'permit');
    expect(await approval.$eval('[data-part=origin]', (shown) => shown.textContent)).toBe(site.origin);
    const { items } = await ask(stage().page, 'activity/list', { limit: 100 });
    expect(items.filter(({ origin }) => origin === site.origin)).toEqual([]);
    expect(answered).toEqual([]);
    await refuse(stage().wallet, 'permit');
    for (const { result, error } of await Promise.all(answers)) {
      expect(result).toBeUndefined();
      expect(error).toMatchObject({ reason: 'permission-refused' });
    }
    expect(windows()).toBe(before + 1);
    expect((await payments()).filter(({ origin }) => origin === site.origin)).toEqual([]);
  });
}
