/** A fake wallet in the page, for tests of the button's appearance in each state. */
import { CHANNEL } from '../../protocol/messages/wire.ts';

/**
 * A script for the page's head that responds to the button's requests. The response depends on `data-button-id`: none
 * for `stuck`, the error with that name for `refused` and `pending`, otherwise a payment. `window.walletless` turns the
 * fake wallet off.
 */
export const PAGE_WALLET = `<script nonce="page">
addEventListener('message', ({ data }) => {
  if (!data || data.to !== 'wallet' || window.walletless) return;
  const say = (answer) => postMessage({ channel: '${CHANNEL}', to: 'page', id: data.id, ...answer }, '*');
  if (data.method === 'wallet/hello') say({ result: { version: '1', network: 'devnet' } });
  if (data.method === 'rates/read') say({ result: { currency: 'EUR', prices: { USD: '50', EUR: '46', BSV: '1' }, feeRate: { satoshis: 1, bytes: 10 }, time: Date.now() } });
  if (data.method !== 'payment/request') return;
  const { outputs, buttonId } = data.params.options;
  if (buttonId === 'refused') say({ error: { code: 'refused', message: 'You refused the payment. No money has moved.' } });
  else if (buttonId === 'pending') say({ error: { code: 'payment-pending', message: 'Signed, and not with the network yet.' } });
  else if (buttonId !== 'stuck') say({ result: { payment: outputs[0] ? { id: 'p', amount: outputs[0].amount, currency: outputs[0].currency } : null, cryptoOperations: [] } });
});
</script>`;
