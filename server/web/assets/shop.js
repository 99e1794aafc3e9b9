/**
 * Script for the demo shop: the buttons' success and error callbacks. All text is inserted as text nodes, never as
 * HTML. The text comes from the page, in the browser's preferred language.
 */
(() => {
  'use strict';

  const receipt = () => document.getElementById('receipt');
  const texts = () => JSON.parse(receipt()?.dataset.texts ?? '{}');

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function show(...children) {
    const place = receipt();
    if (!place) return;
    place.replaceChildren(...children);
    place.hidden = false;
    place.scrollIntoView({ block: 'nearest' });
  }

  /** Formats exact numbers for the page's language, with Latin digits in Arabic, as the button does. */
  function figures(text, fewest = 0) {
    const { lang } = document.documentElement;
    const locale = lang === 'ar' ? 'ar-u-nu-latn' : lang;
    return new Intl.NumberFormat(locale, { minimumFractionDigits: fewest, maximumFractionDigits: 20 }).format(text);
  }

  /** Isolates a value's text direction from a right-to-left page. */
  const isolated = (value) => element('bdi', '', value);

  /** Called with the payment object. A real shop verifies the payment on its server before delivering. */
  window.onShopPayment = (payment) => {
    const t = texts();
    const rows = [
      [t.paidFor, payment.label ?? payment.buttonId],
      [t.paid, `${figures(payment.amount, 2)} ${payment.currency}`],
      [t.satoshis, figures(payment.satoshis)],
      [t.status, t.statuses[payment.status] ?? payment.status],
      [t.transaction, payment.txid],
      [t.payment, payment.id],
    ].filter(([, value]) => typeof value === 'string' && value !== '');
    const facts = element(
      'dl',
      'facts',
      ...rows.flatMap(([term, value]) => [element('dt', '', term), element('dd', 'receipt-data', isolated(value))]),
    );
    const place = receipt();
    if (place) place.dataset.txid = payment.txid;
    show(element('h2', 'heading', t.heading), facts);
  };

  /** Called with an error that has a stable code. The button itself explains it in the page's language. */
  window.onShopError = (error) => {
    const t = texts();
    const message = element(
      'div',
      'banner banner-danger',
      element('p', 'banner-title', t.failed),
      element('p', '', t.seeButton),
    );
    if (error?.code) message.dataset.code = error.code;
    show(message);
  };
})();
