import type { Rate, SetAsideView } from '../../../protocol/messages/wallet-messages.ts';
import { InlineAmount } from '../../ui/amounts/amount.tsx';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { visible } from '../../ui/amounts/format.ts';
import { hostOf } from '../../ui/sites/origin.ts';
import { texts } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import './set-aside.css';

interface SetAsideProps {
  sites: readonly SetAsideView[];
  rate: Rate | null;
}

/** Shows how much of the balance is reserved for sites. The line expands to a list of the sites. */
export function ReservedCoins({ sites, rate }: SetAsideProps) {
  if (sites.length === 0) return null;
  const satoshis = sites.reduce((sum, one) => sum + BigInt(one.satoshis), 0n);
  return (
    <details class="set-aside" data-part="set-aside">
      <summary class="small muted">
        {texts.popup.setAside}: <InlineAmount satoshis={satoshis} rate={rate} />
      </summary>
      <p class="small muted">{texts.popup.setAsideText}</p>
      <ul class="list">
        {sites.map((site) => (
          <li key={site.origin}>
            <p class="small anywhere" title={visible(site.origin)}>
              <bdi>{hostOf(visible(site.origin))}</bdi>
            </p>
            <ReservedBySite site={site} rate={rate} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * Shows how much is reserved for one site. The user can end the site's unfinished actions, even those that reserve no
 * coins.
 */
export function ReservedBySite({ site, rate }: { site: SetAsideView; rate: Rate | null }) {
  const end = useAction(async () => void (await call('sites/end', { origin: site.origin })));
  return (
    <div class="stack stack-tight" data-part="set-aside-site">
      <div class="set-aside-line">
        <span class="small">
          {site.satoshis === '0' ? (
            texts.popup.unfinished({ payments: site.unfinished })
          ) : (
            <>
              {texts.popup.setAside}: <InlineAmount satoshis={BigInt(site.satoshis)} rate={rate} />
            </>
          )}
        </span>
        {site.unfinished > 0 && (
          <button
            type="button"
            class="button button-quiet button-small"
            aria-busy={end.busy}
            aria-label={texts.popup.endSetAsideOf({ site: hostOf(visible(site.origin)) })}
            data-action="end-set-aside"
            onClick={() => end.run()}
          >
            {texts.popup.endSetAside}
          </button>
        )}
      </div>
      {site.givenUp > 0 && <p class="small muted">{texts.popup.setAsideGivenUp}</p>}
      <ErrorNote error={end.error} />
    </div>
  );
}
