import { useEffect, useState } from 'preact/hooks';
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { currencyName } from '../../ui/amounts/format.ts';
import { namedLanguages } from '../../ui/languages/language.ts';
import { settingsTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { Choice } from './choice.tsx';
import type { SaveSettings } from './save.ts';
import { Switch } from './switch.tsx';

/** Common currencies, which are listed first. Until the service responds, only these currencies are offered. */
const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'INR'];
const MINUTES = [1, 5, 15, 30, 60, 240, 1440];
const THEMES = ['system', 'light', 'dark'] as const;

/** Returns a label like `EUR, Euro`, or only the code if the browser has no name for it. */
function nameWithCode(code: string): string {
  const name = currencyName(code);
  return name === code ? code : `${code}, ${name}`;
}

/** Shows the user's preferences: currency, auto-lock delay, language, theme. Changes are saved immediately. */
export function YouSection({ settings, save }: { settings: Settings; save: SaveSettings }) {
  const change = useAction(save);
  const currencies = withCurrent(useCurrencies(), settings.currency);
  return (
    <section class="stack" aria-labelledby="settings-you">
      <h2 class="subheading" id="settings-you">
        {t.you}
      </h2>
      <ErrorNote error={change.error} />
      <Choice
        label={t.currency}
        value={settings.currency}
        options={currencies.map((code) => [code, nameWithCode(code)])}
        onChange={(currency) => change.run({ currency })}
      />
      <Choice
        label={t.lockAfter}
        value={String(settings.lockAfterMinutes)}
        options={withCurrent(MINUTES, settings.lockAfterMinutes).map((n) => [
          String(n),
          n < 60 ? t.minutes({ n }) : t.hours({ n: n / 60 }),
        ])}
        onChange={(n) => change.run({ lockAfterMinutes: Number(n) })}
      />
      <Choice
        label={t.language}
        value={settings.language}
        options={[['system', t.languageOfBrowser], ...namedLanguages()]}
        onChange={(language) => change.run({ language: language as Settings['language'] })}
      />
      <Choice
        label={t.theme}
        value={settings.theme}
        options={THEMES.map((theme) => [theme, t.themes[theme]])}
        onChange={(theme) => change.run({ theme: theme as Settings['theme'] })}
      />
      <Switch label={t.notify} note={t.notifyNote} on={settings.notify} onChange={(notify) => change.run({ notify })} />
    </section>
  );
}

/** Returns the currencies with a known price, common currencies first. */
function useCurrencies(): string[] {
  const [known, setKnown] = useState<string[]>([]);
  useEffect(() => {
    // Without a response, only the common currencies are offered. A missing price is reported when it is needed.
    call('settings/currencies', {}).then(
      ({ currencies }) => setKnown(currencies),
      () => {},
    );
  }, []);
  if (known.length === 0) return CURRENCIES;
  return [
    ...CURRENCIES.filter((code) => known.includes(code)),
    ...known.filter((code) => !CURRENCIES.includes(code)).toSorted(),
  ];
}

/** Adds the current value to the offered values if it is missing. */
function withCurrent<T extends string | number>(offered: T[], current: T): T[] {
  return offered.includes(current) ? offered : [current, ...offered];
}
