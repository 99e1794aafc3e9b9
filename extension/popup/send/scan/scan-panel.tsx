import { useRef } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { visible } from '../../../ui/amounts/format.ts';
import { inPopup } from '../../../ui/window/popup-and-tabs.ts';
import { scanTexts as t } from '../../../ui/texts/texts.ts';
import { Camera } from './camera.tsx';
import type { useScan } from './use-scan.ts';

/** URL hash that opens the popup's send form with this panel. */
export const SCAN_HASH = '#scan';
/** Maximum number of characters shown from a code that isn't a recipient. */
const CODE_SHOWN = 160;

/** Offers to scan a code from an image file or with the camera. */
export function ScanPanel({ scan }: { scan: ReturnType<typeof useScan> }) {
  const file = useRef<HTMLInputElement>(null);
  const isPopup = inPopup();
  return (
    <div class="well stack stack-tight" data-part="scan">
      <div class="cluster">
        <button
          type="button"
          class="button button-quiet button-small"
          data-action="choose-image"
          onClick={() => (isPopup ? void openTab() : file.current?.click())}
        >
          {t.choose}
        </button>
        <button
          type="button"
          class="button button-quiet button-small"
          data-action="use-camera"
          aria-pressed={scan.camera}
          onClick={() => (isPopup ? void openTab() : scan.setCamera(!scan.camera))}
        >
          {t.camera}
        </button>
      </div>
      <input
        ref={file}
        type="file"
        hidden
        tabIndex={-1}
        accept="image/png,image/jpeg,image/webp"
        data-part="image"
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          if (chosen) scan.read(chosen);
          currentTarget.value = ''; // Otherwise, the same file couldn't be selected again.
        }}
      />
      <p class="hint">
        {t.hint} {isPopup && t.inTab}
      </p>
      {scan.camera && <Camera onCode={scan.take} onStop={() => scan.setCamera(false)} />}
    </div>
  );
}

/** Shows the result of a scan. The element exists before its text so that screen readers announce the text. */
export function ScanOutcome({ state }: { state: ReturnType<typeof useScan>['state'] }) {
  return (
    <div role="status" data-part="scan-outcome" data-at={state.at}>
      {state.at === 'reading' && <p class="small muted">{t.reading}</p>}
      {state.at === 'filled' && <p class="small muted">{t.filled}</p>}
      {state.at === 'failed' && <p class="banner banner-warning small">{t.failed[state.why]}</p>}
      {state.at === 'unfit' && (
        <div class="banner banner-warning small">
          <p>{state.problem}</p>
          <p class="anywhere">
            {t.codeSays}{' '}
            <bdi class="mono">
              {visible(state.text.length > CODE_SHOWN ? `${state.text.slice(0, CODE_SHOWN)} …` : state.text)}
            </bdi>
          </p>
        </div>
      )}
    </div>
  );
}

/** Opens a tab, because a popup closes when the browser's file dialog or camera prompt takes focus. */
async function openTab(): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL(`extension/popup/index.html${SCAN_HASH}`) });
  window.close();
}
