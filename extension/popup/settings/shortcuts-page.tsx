import type { Settings } from '../../../protocol/messages/wallet-messages.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { ShortcutList } from '../../ui/window/shortcut-list.tsx';
import { shortcutTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { PageHead } from '../page-head.tsx';
import type { SaveSettings } from './save.ts';
import { Switch } from './switch.tsx';

/** Shows the keyboard shortcuts, and enables or disables single-key shortcuts. */
export function ShortcutsPage({
  settings,
  save,
  onBack,
}: {
  settings: Settings;
  save: SaveSettings;
  onBack: () => void;
}) {
  const change = useAction(save);
  return (
    <div class="popup-page arrive">
      <PageHead title={t.title} onBack={onBack} />
      <ShortcutList />
      <ErrorNote error={change.error} />
      <Switch
        label={t.single}
        note={t.singleNote}
        on={settings.singleKeys}
        onChange={(singleKeys) => change.run({ singleKeys })}
      />
    </div>
  );
}
