/** Helpers for pages that use the wallet as BRC-100 applications do. */
import type { Frame, Page } from 'puppeteer-core';
import type { Brc100Method } from '../../protocol/brc100/methods.ts';

export interface CallResponse {
  result?: Record<string, unknown>;
  error?: { code: number; name: string; message: string; reason?: string; parameter?: string };
}

/** Globals of a page that uses XDM (BRC-100 calls by `postMessage`) without a library. */
export interface XdmWindow {
  answers: { id: string; status: string; result?: Record<string, unknown>; reason?: string }[];
  /** Posts a call, by default to the page's own window. */
  xdm(id: string, call: unknown, args?: unknown, to?: unknown): void;
}

/** A script for a page's body that defines the globals of {@link XdmWindow}. */
export const XDM_SCRIPT = `<script>
  var answers = [];
  addEventListener('message', ({ data }) => { if (data && data.type === 'CWI' && !data.isInvocation) answers.push(data); });
  function xdm(id, call, args, to) { (to || window).postMessage({ type: 'CWI', isInvocation: true, id, call, args }, '*'); }
</script>`;

/** The public key for the private key 1. */
export const SOMEBODY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
/** Arguments for a key of a level-1 protocol. */
export const KEY = { protocolID: [1, 'sealed notes'], keyID: '1', counterparty: 'self' };
export const ACTION = {
  description: 'Take a coin',
  outputs: [
    {
      lockingScript: '76a914000000000000000000000000000000000000000088ac',
      satoshis: 1000,
      outputDescription: 'a coin',
    },
  ],
};

/** Calls `window.CWI` in a frame, and returns the outcome. */
export function call(frame: Page | Frame, method: Brc100Method, args: object = {}): Promise<CallResponse> {
  return frame.evaluate(
    (name, given) =>
      (window as any).CWI[name](given).then(
        (result: Record<string, unknown>) => ({ result }),
        (error: Error) => ({ error: { ...error, message: error.message } }),
      ) as Promise<CallResponse>,
    method,
    args,
  );
}

/** Clicks the page's button, which makes the call. @returns the outcome of the call */
export async function callByClick(
  page: Page,
  method: Brc100Method,
  args: object = {},
): Promise<{ answer: Promise<CallResponse> }> {
  await page.evaluate(
    (name, given) =>
      Object.assign(window, {
        clicked: new Promise((resolve) => {
          (document.querySelector('#pay') as HTMLButtonElement).onclick = () =>
            (window as any).CWI[name](given).then(
              (result: unknown) => resolve({ result }),
              (error: Error) => resolve({ error: { ...error, message: error.message } }),
            );
        }),
      }),
    method,
    args,
  );
  await page.bringToFront();
  await page.click('#pay');
  return { answer: page.evaluate(() => (window as any).clicked as Promise<CallResponse>) };
}
