/** Helpers for the attacks through BRC-100. */
import { expect } from 'vitest';
import type { Frame, Page } from 'puppeteer-core';
import type { Brc100Method } from '../../protocol/brc100/methods.ts';
import { ACTION, call, KEY, type CallResponse, type XdmWindow } from '../drive/applications.ts';
import type { Scene } from '../drive/scene.ts';
import { stored } from '../../tooling/drive/wallet.ts';

const BYTES = { data: [1], hmac: Array(32).fill(0), plaintext: [1], ciphertext: Array(48).fill(0), signature: [48] };
export const OUTPUT = `${'00'.repeat(32)}.0`;
const WITH_KEY = ['encrypt', 'decrypt', 'createHmac', 'verifyHmac', 'createSignature', 'verifySignature'];
const ARGS: Partial<Record<Brc100Method, object>> = {
  createAction: ACTION,
  signAction: { reference: 'AAAA', spends: {} },
  abortAction: { reference: 'AAAA' },
  listActions: { labels: [] },
  internalizeAction: {
    tx: [1, 2, 3],
    outputs: [{ outputIndex: 0, protocol: 'basket insertion', insertionRemittance: { basket: 'things' } }],
    description: 'Some things',
  },
  listOutputs: { basket: 'things' },
  relinquishOutput: { basket: 'things', output: OUTPUT },
  getPublicKey: { identityKey: true },
  getHeaderForHeight: { height: 0 },
};
/** Returns valid arguments for a method. */
export const argsOf = (method: Brc100Method) => ARGS[method] ?? (WITH_KEY.includes(method) ? { ...KEY, ...BYTES } : {});

/** Methods with public results, which reveal nothing about the user. */
const HARMLESS = ['isAuthenticated', 'getHeight', 'getHeaderForHeight', 'getNetwork', 'getVersion'];

/** Returns the helpers that both lists of attacks use. */
export function steps(stage: () => Scene) {
  const windows = () => stage().wallet.approvalCount().ever;
  const rows = async (store: string) => (await stored<{ origin: string }>(stage().page, store)).length;
  const originIn = (approval: Page) => approval.$eval('[data-part=origin]', (shown) => shown.textContent);
  const said = (approval: Page) => approval.evaluate(() => document.body.innerText);
  const frameIn = async (page: Page): Promise<Frame> =>
    (await (await page.waitForSelector('iframe'))?.contentFrame()) as Frame;
  const post = (frame: Page | Frame, id: string, method: unknown, args?: unknown) =>
    frame.evaluate((...given) => (window as unknown as XdmWindow).xdm(...given), id, method, args);
  /**
   * Returns the messages that a frame's own script has received. Calls through `window.CWI` have different IDs (UUIDs).
   */
  const answersIn = (frame: Page | Frame) =>
    frame.evaluate(() => (window as unknown as XdmWindow).answers.filter(({ id }) => id.length < 36));
  const fence = async (...frames: (Page | Frame)[]) => {
    for (const frame of frames) expect((await call(frame, 'getVersion')).result).toBeDefined();
  };
  const dismiss = async () => {
    for (const window of await stage().wallet.approvals()) await window.close();
  };
  /** Expects that calls without permission returned nothing about the user. */
  function expectNothing(answers: readonly [string, CallResponse][]): void {
    for (const [method, { result, error }] of answers) {
      if (result) expect(HARMLESS, method).toContain(method);
      else
        expect(error, method).toMatchObject({
          code: expect.any(Number) as number,
          name: expect.stringMatching(/^WERR_/) as string,
        });
    }
  }

  return { windows, rows, originIn, said, frameIn, post, answersIn, fence, dismiss, expectNothing };
}
