import { afterEach, expect } from 'vitest';
import type { Page } from 'puppeteer-core';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';

export const OTHER = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';

export let scene: Scene;

/** Opens the popup's send form and fills it in. A null amount means the remaining balance. */
export async function fillIn(rows: readonly { to: string; amount: string | null }[]): Promise<Page> {
  const { page } = scene;
  await page.bringToFront();
  await page.reload();
  await (await page.waitForSelector('.home-actions > button'))?.click();
  for (const [i, { to, amount }] of rows.entries()) {
    if (i > 0) await (await page.waitForSelector('button ::-p-text(Add recipient)'))?.click();
    const row = await page.waitForSelector(`[data-part=recipient]:nth-of-type(${i + 1})`);
    // Browsers must neither autocomplete nor autocorrect addresses.
    expect(
      await row?.$eval('.send-to', (input) =>
        ['autocomplete', 'autocapitalize', 'autocorrect', 'spellcheck'].map((name) => input.getAttribute(name)),
      ),
    ).toEqual(['off', 'off', 'off', 'false']);
    await (await row?.$('.send-to'))?.type(to);
    if (amount === null) await (await row?.$('.send-max'))?.click();
    else await (await row?.$('.send-amount'))?.type(amount);
  }
  await page.click('[data-action=review]');
  await page.waitForSelector('[data-action=send]');
  return page;
}

/** Returns an address's unspent outputs in the ledger. */
export async function unspent(address: string): Promise<{ txid: string; satoshis: number }[]> {
  const response = await fetch(`${scene.service.url}/devnet/woc/v1/bsv/test/address/${address}/unspent/all`);
  const { result } = (await response.json()) as { result: { tx_hash: string; value: number }[] };
  return result.map(({ tx_hash: txid, value: satoshis }) => ({ txid, satoshis }));
}

export const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent);

export function useSendingScene(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 1_000_000 });
    },
    () => scene?.end(),
  );
  afterEach(async () => {
    scene.faults.clear();
  });
}
