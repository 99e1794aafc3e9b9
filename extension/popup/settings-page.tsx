/** What the user may choose. Every choice is kept at once. */
import { useId } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Settings } from '../../protocol/wallet-messages.ts';
import { call } from '../ui/call.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { texts } from '../ui/texts.ts';
import { applyTheme } from '../ui/theme.ts';
import { useAction } from '../ui/use-action.ts';
import { PageHead } from './page-head.tsx';
import { ServiceAddress } from './service-address.tsx';

const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'INR'];
const MINUTES = [1, 5, 15, 30, 60, 240, 1440];
const THEMES = ['system', 'light', 'dark'] as const;

type Change = Partial<Pick<Settings, 'currency' | 'lockAfterMinutes' | 'theme' | 'serviceUrl'>>;

/** See above. */
export function SettingsPage({ settings, onSettings }: { settings: Settings; onSettings: (settings: Settings) => void }) {
  const save = async (change: Change): Promise<void> => {
    const next = await call('settings/change', change);
    applyTheme(next.theme);
    onSettings(next);
  };
  const change = useAction(save);
  const names = new Intl.DisplayNames(undefined, { type: 'currency' });
  return (
    <section class="popup-page">
      <PageHead title={texts.settings.title} />
      <ErrorNote error={change.error} />
      <Choice label={texts.settings.currency} value={settings.currency} options={withCurrent(CURRENCIES, settings.currency).map((code) => [code, `${code}, ${names.of(code)}`])} onChange={(currency) => change.run({ currency })} />
      <Choice label={texts.settings.lockAfter} value={String(settings.lockAfterMinutes)} options={withCurrent(MINUTES, settings.lockAfterMinutes).map((n) => [String(n), texts.settings.minutes(n)])} onChange={(n) => change.run({ lockAfterMinutes: Number(n) })} />
      <Choice label={texts.settings.theme} value={settings.theme} options={THEMES.map((theme) => [theme, texts.settings.themes[theme]])} onChange={(theme) => change.run({ theme: theme as Settings['theme'] })} />
      <div class="field">
        <span class="label">{texts.settings.network}</span>
        <span>{texts.networks[settings.network]}{settings.network !== 'mainnet' && <span class="muted">. {texts.worthless}</span>}</span>
      </div>
      <details class="advanced">
        <summary class="link">{texts.settings.advanced}</summary>
        <ServiceAddress url={settings.serviceUrl} save={(serviceUrl) => save({ serviceUrl })} />
      </details>
    </section>
  );
}

/** The offered values, and the one that is set even where it is not among them. */
function withCurrent<T extends string | number>(offered: T[], current: T): T[] {
  return offered.includes(current) ? offered : [current, ...offered];
}

function Choice({ label, value, options, onChange }: { label: ComponentChildren; value: string; options: [string, string][]; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label class="label" for={id}>{label}</label>
      <select id={id} class="select" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([key, text]) => <option key={key} value={key} selected={key === value}>{text}</option>)}
      </select>
    </div>
  );
}
