import browser from 'webextension-polyfill';
import { inPopup, settingsUrl } from '../ui/window/popup-and-tabs.ts';
import { ListIcon, SitesIcon, SlidersIcon } from '../ui/controls/icons.tsx';
import { moveFocus } from '../ui/window/shortcuts.ts';
import { allowanceTexts, texts } from '../ui/texts/texts.ts';
import './tab-bar.css';

// Labels are functions, because translations are loaded after this module.
const tabs = [
  { id: 'activity', label: () => texts.popup.activity, Icon: ListIcon },
  { id: 'sites', label: () => allowanceTexts.sites, Icon: SitesIcon },
] as const;

export type Tab = (typeof tabs)[number]['id'];

/** Switches between the sections of the unlocked wallet, and opens the settings. */
export function TabBar({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  return (
    <nav class="tabs tab-bar" aria-label={texts.popup.sections} onKeyDown={(event) => moveFocus(event, '.tab', 'line')}>
      {tabs.map(({ id, label, Icon }) => (
        <button
          key={id}
          type="button"
          class="tab"
          aria-current={tab === id ? 'page' : undefined}
          onClick={() => onTab(id)}
        >
          <Icon size={18} />
          {label()}
        </button>
      ))}
      <a class="tab" href={settingsUrl()} data-part="settings" onClick={openFromPopup}>
        <SlidersIcon size={18} />
        {texts.popup.settings}
      </a>
    </nav>
  );
}

/** Opens the settings in a tab, because the popup is too small for them. */
function openFromPopup(event: MouseEvent): void {
  if (!inPopup()) return;
  event.preventDefault();
  void browser.runtime.openOptionsPage().then(() => window.close());
}
