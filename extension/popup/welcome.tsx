import browser from 'webextension-polyfill';
import { Mark } from '../ui/icons.tsx';
import { texts } from '../ui/texts.ts';

/** No wallet in this browser yet: leads to the onboarding. */
export function Welcome() {
  const open = async () => {
    await browser.tabs.create({ url: browser.runtime.getURL('extension/onboarding/index.html') });
    window.close();
  };
  return (
    <main class="popup-middle">
      <Mark size={56} />
      <h1 class="title">{texts.welcome.title}</h1>
      <p class="lead">{texts.welcome.lead}</p>
      <button type="button" class="button button-primary button-block" onClick={open}>
        {texts.welcome.button}
      </button>
    </main>
  );
}
