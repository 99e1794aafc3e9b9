/**
 * Calls the background, and receives its notifications. Only the background has access to keys, coins and the network.
 */
import browser from 'webextension-polyfill';
import { fromWireError, ServiceError } from '../../../protocol/errors/service-error.ts';
import { CHANGES } from '../../../protocol/messages/wire.ts';
import { errorText } from '../error-text.ts';
import { errorTexts } from '../texts/texts.ts';
import type {
  WalletMethod,
  WalletParams,
  WalletReply,
  WalletResults,
} from '../../../protocol/messages/wallet-messages.ts';

/**
 * Calls a method of the background script.
 * @throws ServiceError with its code, or `wallet-disconnected` if the background doesn't respond because the extension
 * was updated or disabled
 */
export async function call<M extends WalletMethod>(method: M, params: WalletParams<M>): Promise<WalletResults[M]> {
  let reply: WalletReply<M> | null | undefined;
  try {
    reply = await browser.runtime.sendMessage({ method, params });
  } catch (cause) {
    throw new ServiceError('wallet-disconnected', { cause, message: errorTexts['wallet-disconnected'] });
  }
  if (typeof reply !== 'object' || reply === null) throw new ServiceError('internal', { detail: 'no response' });
  if ('error' in reply) throw fromWireError({ code: reply.error.code, message: errorText(reply.error) });
  return reply.result;
}

/** Calls `changed` on every change notification from the background script, until the returned function is called. */
export function onChanges(changed: () => void): () => void {
  const channel = new BroadcastChannel(CHANGES);
  channel.onmessage = () => changed();
  return () => channel.close();
}
