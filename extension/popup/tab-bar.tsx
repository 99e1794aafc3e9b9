import { ListIcon, SitesIcon, SlidersIcon } from '../ui/icons.tsx';
import { moveFocus } from '../ui/shortcuts.ts';
import { allowanceTexts } from '../ui/texts-allowance.ts';
import { texts } from '../ui/texts.ts';
import './tab-bar.css';

// Labels are read when they are drawn: another language is laid over the texts after this module was loaded.
const tabs = [
  { id: 'activity', label: () => texts.popup.activity, Icon: ListIcon },
  { id: 'sites', label: () => allowanceTexts.sites, Icon: SitesIcon },
  { id: 'settings', label: () => texts.popup.settings, Icon: SlidersIcon },
] as const;

/** A section of the open wallet. */
export type Tab = (typeof tabs)[number]['id'];

/** The sections of the open wallet. */
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
    </nav>
  );
}
