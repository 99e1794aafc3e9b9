/** Tests a wallet with a damaged database, and recovery words from other wallets. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onboardingTexts, otherWalletTexts, serviceTexts, texts } from '../../extension/ui/texts/texts.ts';
import { launchWallet } from '../../tooling/drive/browser.ts';
import { choosePassword, fill, press, restoreByHand, sees } from '../../tooling/drive/onboarding.ts';
import { postJson, startService, type Service } from '../../tooling/drive/service.ts';
import { ask, PASSWORD } from '../../tooling/drive/wallet.ts';

const WORDS = 'remind subject simple name truck symbol inject eager erase million puzzle scout';
// an address from cases/payers/other-wallets.json
const MONEY_BUTTON = 'mpkVwAP2QZvchnpCKyhVCWG8BHGEKvtjb5';
const YOURS = 'muLHNV1SS4GoPSd1wLMPLdrsaSGquxj97W';

let service: Service;
const folder = mkdtempSync(join(tmpdir(), 'lost-wallet-'));

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const faucet = (address: string, satoshis: number) => postJson(`${service.url}/devnet/faucet`, { address, satoshis });

test('a damaged database leads to the recovery words, and never to a new wallet', async () => {
  const userDataDir = join(folder, 'profile');
  const before = await launchWallet({ userDataDir });
  const first = await before.open('onboarding');
  await ask(first, 'settings/change', { serviceUrl: service.url });
  await ask(first, 'vault/create', { words: WORDS, password: PASSWORD, restored: false });
  expect(await ask(first, 'vault/status', {})).toMatchObject({ exists: true });
  await before.close();

  const databases = join(userDataDir, 'Default/IndexedDB');
  const damaged = readdirSync(databases).filter((name) => /^chrome-extension_.*\.leveldb$/.test(name));
  expect(damaged).toHaveLength(1);
  for (const name of damaged) writeFileSync(join(databases, name, 'CURRENT'), 'junk');

  const wallet = await launchWallet({ userDataDir });
  try {
    const popup = await wallet.open('popup');
    await sees(popup, texts.lost.title);
    const page = await wallet.open('onboarding');
    await sees(page, texts.lost.title);
    expect(await page.evaluate(() => document.body.innerText)).not.toContain(onboardingTexts.start.create);
    await ask(page, 'settings/change', { serviceUrl: service.url });
    await press(page, texts.lost.button);
    await fill(page, onboardingTexts.restore.label, WORDS);
    await press(page, onboardingTexts.restore.check);
    await sees(page, onboardingTexts.password.title);
    await choosePassword(page, PASSWORD);
    await sees(page, onboardingTexts.account.title);
    expect(await ask(page, 'vault/status', {})).toMatchObject({ exists: true, mayVanish: true });
  } finally {
    await wallet.close();
  }
});

test('coins of other wallets with the same words are found, reviewed and moved', async () => {
  await faucet(MONEY_BUTTON, 50_000);
  await faucet(YOURS, 30_000);
  const wallet = await launchWallet();
  try {
    const page = await restoreByHand(wallet, { serviceUrl: service.url, password: PASSWORD, words: WORDS });
    await sees(page, onboardingTexts.account.title);
    await page.click('input[value=none]');
    await press(page, serviceTexts.goOn);
    await sees(page, otherWalletTexts.title);
    await sees(page, onboardingTexts.restored.title);
    await fill(page, texts.password, PASSWORD);
    await press(page, otherWalletTexts.search);
    await sees(page, "m/44'/0'/0'/0/0");
    await sees(page, YOURS);
    await press(page, otherWalletTexts.move);
    await sees(page, onboardingTexts.done.balance);
    expect(Number((await ask(page, 'wallet/overview', {})).satoshis)).toBeGreaterThan(79_000);
  } finally {
    await wallet.close();
  }
});
