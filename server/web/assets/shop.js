/**
 * The demo shop's script: what the buttons call when a payment succeeded or failed. All text goes in as text, never as
 * HTML.
 */
(() => {
  'use strict';

  const STATUS = { RECEIVED: 'Received', COMPLETED: 'Confirmed', PENDING: 'On its way', FAILED: 'Failed' };

  /** An element with text or children in it. */
  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function show(...children) {
    const receipt = document.getElementById('receipt');
    if (!receipt) return;
    receipt.replaceChildren(...children);
    receipt.hidden = false;
    receipt.scrollIntoView({ block: 'nearest' });
  }

  /** Called with the payment object. A real shop has its server check the payment before it hands anything over. */
  window.onShopPayment = (payment) => {
    const rows = [
      ['For', payment.buttonId],
      ['Paid', `${payment.amount} ${payment.currency}`],
      ['Satoshis', payment.satoshis],
      ['Status', STATUS[payment.status] ?? payment.status],
      ['Transaction', payment.txid],
      ['Payment', payment.id],
    ].filter(([, value]) => typeof value === 'string' && value !== '');
    const facts = element(
      'dl',
      'facts',
      ...rows.flatMap(([term, value]) => [element('dt', '', term), element('dd', 'receipt-data', value)]),
    );
    const receipt = document.getElementById('receipt');
    if (receipt) receipt.dataset.txid = payment.txid;
    show(element('h2', 'heading', 'Your receipt'), facts);
  };

  /** Called with the error: a stable code, and a sentence that says what to do. */
  window.onShopError = (error) => {
    const message = element(
      'div',
      'banner banner-danger',
      element('p', 'banner-title', 'That didn’t work'),
      element('p', '', error?.message ?? 'The payment failed.'),
    );
    if (error?.code) message.dataset.code = error.code;
    show(message);
  };
})();
