import browser from 'webextension-polyfill';
import { Mark } from '../../ui/controls/icons.tsx';
import { texts } from '../../ui/texts/texts.ts';

/** Links to the onboarding if this browser has no wallet yet, or if its data was lost. */
export function Welcome({ lost }: { lost: boolean }) {
  const shown = lost ? texts.lost : texts.welcome;
  const open = async () => {
    await browser.tabs.create({ url: browser.runtime.getURL('extension/onboarding/index.html') });
    window.close();
  };
  return (
    <main class="popup-middle">
      <Mark size={56} />
      <h1 class="title">{shown.title}</h1>
      <p class="lead">{shown.lead}</p>
      <button type="button" class="button button-primary button-block" onClick={open}>
        {shown.button}
      </button>
    </main>
  );
}
