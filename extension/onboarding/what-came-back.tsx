import browser from 'webextension-polyfill';
import { settingsUrl } from '../ui/window/popup-and-tabs.ts';
import { onboardingTexts } from '../ui/texts/texts.ts';

/** Shows which data the recovery words have restored, which they can't restore, and how to back up the rest. */
export function RestoredData({ account }: { account: boolean }) {
  const t = onboardingTexts.restored;
  const backUp = () => browser.tabs.create({ url: settingsUrl('app-data') });
  return (
    <section class="card stack stack-tight" aria-label={t.title} data-part="came-back">
      <h2 class="subheading">{t.title}</h2>
      <ul class="came-back">
        <li>{t.money}</li>
        <li>{t.history}</li>
        {account && <li>{t.account}</li>}
      </ul>
      <h2 class="subheading">{t.missingTitle}</h2>
      <ul class="came-back">
        <li>{t.contacts}</li>
        <li>{t.sites}</li>
        <li>{t.apps}</li>
      </ul>
      <p class="small muted">{t.keep}</p>
      <button type="button" class="button button-block" onClick={() => void backUp()}>
        {t.backup}
      </button>
    </section>
  );
}
