/** Provides a wallet with assets, which another user mints and sends on the service's devnet. */
import type { Page } from 'puppeteer-core';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { Issuer, one } from '../../testkit/wallet/assets.ts';
import { testPng } from '../../protocol/http/testing-picture.ts';
import type { Scene } from './scene.ts';
import { postJson } from '../../tooling/drive/service.ts';
import { ask } from '../../tooling/drive/wallet.ts';

/** Sends an ordinal and a token with a picture to a wallet without assets, and waits until it finds both. */
export async function giveAssets({ service: { url } }: Scene, popup: Page): Promise<void> {
  if ((await ask(popup, 'assets/list', {})).tokens.length > 0) return;
  const { receiveAddress } = await ask(popup, 'wallet/overview', {});
  const issuer = new Issuer({
    url,
    faucet: async (address, satoshis) =>
      ((await postJson(`${url}/devnet/faucet`, { address, satoshis })) as { txid: string }).txid,
  });
  const lock = addressScript(receiveAddress, 'devnet');
  const picture = one(
    writeInscription('image/png', new Uint8Array(testPng(64, 64, [200, 160, 40])), issuer.key.script),
  );
  const text = one(writeInscription('text/plain', new TextEncoder().encode('Hello from the chain'), lock));
  const [icon] = await issuer.make([], [picture, text]);
  const { id, coin } = await issuer.mint(2_100_000_000n, { dec: 2, sym: 'GOLD', icon: `${icon?.txid}_0` });
  await issuer.make([coin], [issuer.holds(id, 123_456_789n, receiveAddress)]);
  await ask(popup, 'assets/refresh', {});
}
