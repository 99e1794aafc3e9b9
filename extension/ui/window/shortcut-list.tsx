import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useShortcut } from './shortcuts.ts';
import { activityTexts, shortcutTexts as t } from '../texts/texts.ts';

export function ShortcutList() {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  const rows: [keys: string[], meaning: string][] = [
    [[isMac ? '⌘' : t.ctrl, t.enter], t.confirm],
    [[t.escape], t.leave],
    [['/'], t.search],
    [['←', '→'], t.tabs],
    [['↑', '↓'], t.rows],
    [['?'], t.help],
  ];
  return (
    <>
      <dl class="shortcuts" data-part="shortcuts">
        {rows.map(([keys, meaning]) => (
          <div class="row" key={meaning}>
            <dt>{meaning}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p class="small muted">{t.care}</p>
    </>
  );
}

/** Shows the list of shortcuts over the window when `?` is pressed. Escape closes only the list. */
export function ShortcutHelp() {
  const [open, setOpen] = useState(false);
  useShortcut('help', () => setOpen(true));
  return open ? <Help onClose={() => setOpen(false)} /> : null;
}

function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="shortcut-help"
      aria-labelledby="shortcut-help"
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault(); // Otherwise, Escape would close the whole popup.
        dialog.current?.close();
      }}
    >
      <div class="stack">
        <h2 class="subheading" id="shortcut-help">
          {t.title}
        </h2>
        <ShortcutList />
        <button type="button" class="button button-quiet button-block" onClick={() => dialog.current?.close()}>
          {activityTexts.close}
        </button>
      </div>
    </dialog>
  );
}
