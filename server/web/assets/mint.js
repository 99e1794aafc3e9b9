/**
 * Script for an asset's page. Asks the wallet to mint the asset. The page sends only the asset's ID. The wallet reads
 * the details from the service itself, and prompts the user.
 */
(() => {
  'use strict';

  /** Time without a response after which the page assumes that no wallet is installed (ms). */
  const HELLO_WAIT = 600;
  const REFUSED = ['refused', 'approval-closed', 'approval-expired', 'permission-refused'];

  const button = document.querySelector('[data-mint]');
  if (!button) return;
  const texts = JSON.parse(button.closest('[data-mint-texts]').dataset.mintTexts);
  const message = document.querySelector('[data-mint-message]');
  const label = button.textContent;
  let present = false;
  const found = () => {
    present = true;
  };
  const askWallet = globalThis.askServiceWallet(window, location, found);
  // An error from a locked or new wallet also proves that a wallet is installed.
  const hello = askWallet('wallet/hello', {}).then(found, found);

  function say(text, kind) {
    const banner = document.createElement('p');
    banner.className = `banner banner-${kind}`;
    banner.textContent = text;
    message.replaceChildren(...(text === '' ? [] : [banner]));
  }

  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    say('', '');
    button.setAttribute('aria-busy', 'true');
    button.textContent = texts.working;
    try {
      if (!present) await Promise.race([hello, new Promise((resolve) => setTimeout(resolve, HELLO_WAIT))]);
      if (!present) say(texts.noWallet, 'warning');
      else {
        await askWallet('asset/mint', { assetId: button.dataset.assetId });
        location.reload();
        return;
      }
    } catch ({ code }) {
      if (code === 'unsupported-method') say(texts.outdated, 'warning');
      else if (REFUSED.includes(code)) say(texts.refused, 'info');
      else if (code === 'payment-pending') say(texts.waiting, 'info');
      else say(texts.failed, 'danger');
    }
    button.removeAttribute('aria-busy');
    button.textContent = label;
  });
})();
