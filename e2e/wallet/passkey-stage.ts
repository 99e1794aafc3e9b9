import { mkdir } from 'node:fs/promises';
import { afterEach, beforeEach } from 'vitest';
import type { CDPSession, Page } from 'puppeteer-core';
import { passkeyTexts as t, texts } from '../../extension/ui/texts/texts.ts';
import { fill, press, sees } from '../../tooling/drive/onboarding.ts';
import { setScene, type Scene } from '../drive/scene.ts';
import { onStage } from '../drive/stage.ts';
import { ask, goTo, PASSWORD } from '../../tooling/drive/wallet.ts';

export let scene: Scene;
export let popup: Page;
export let cdp: CDPSession;
export let authenticatorId: string;

/** Adds a virtual authenticator that confirms user presence immediately. */
export async function plugIn(hasPrf = true): Promise<void> {
  const options = {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    hasPrf,
  } as const;
  ({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options }));
}

export async function addPasskey(name = 'Laptop', password = PASSWORD): Promise<void> {
  await press(popup, texts.popup.settings);
  await press(popup, t.title);
  await fill(popup, t.name, name);
  await fill(popup, t.password, password);
  await press(popup, t.add);
}

export async function withPasskey(): Promise<void> {
  await addPasskey();
  await sees(popup, t.done);
}

export async function lockAndReload(): Promise<void> {
  await ask(popup, 'vault/lock', {});
  await goTo(popup, 'popup');
  await popup.reload();
  await sees(popup, texts.unlock.title);
  await sees(popup, t.unlock);
}

export async function pictures(name: string): Promise<void> {
  const folder = process.env.PASSKEY_PICTURES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const theme of ['light', 'dark'])
    for (const width of [320, 360, 800]) {
      await popup.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      await popup.setViewport({ width, height: 640 });
      await popup.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` });
    }
  await popup.emulateMediaFeatures([]);
  await popup.setViewport(null);
}

export function usePasskeyScene(): void {
  onStage(
    async () => {
      scene = await setScene({ satoshis: 3_000_000 });
    },
    () => scene?.end(),
  );
  beforeEach(async () => {
    if ((await ask(scene.page, 'vault/status', {})).locked)
      await ask(scene.page, 'vault/unlock', { password: PASSWORD });
    popup = await scene.wallet.open('popup/settings');
    for (const { id } of (await ask(popup, 'passkeys/list', {})).passkeys) await ask(popup, 'passkeys/remove', { id });
    await goTo(popup, 'popup');
    cdp = await popup.createCDPSession();
    await cdp.send('WebAuthn.enable');
    await plugIn();
  });
  afterEach(async () => {
    if (!popup.isClosed()) await popup.close();
    await scene.wallet.noApproval();
  });
}
