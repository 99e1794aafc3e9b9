import { useState } from 'preact/hooks';
import type { Rate, SiteView } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatAge, formatDay, formatLeft, visible } from '../../ui/amounts/format.ts';
import { ChevronIcon } from '../../ui/controls/icons.tsx';
import { hostOf } from '../../ui/sites/origin.ts';
import { allowanceTexts as t, permissionTexts } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { SiteAllowance } from './site-allowance.tsx';
import { ReservedBySite } from '../home/set-aside.tsx';
import { SitePermissions } from './site-permissions.tsx';

/** Shows a site in a row that expands to the site's allowances, its permissions and a button to block the site. */
export function SiteRow({ site, rate }: { site: SiteView; rate: Rate | null }) {
  const host = hostOf(visible(site.origin));
  return (
    <li>
      <details class="activity" data-site={site.origin}>
        <summary class="list-row">
          <span class="list-main">
            <span class="list-title" title={visible(site.origin)}>
              <bdi>{host}</bdi>
            </span>
            <SiteState site={site} />
          </span>
          <span class="activity-chevron">
            <ChevronIcon size={16} />
          </span>
        </summary>
        <div class="site-details">
          <p class="small muted anywhere">
            <bdi>{visible(site.origin)}</bdi>
          </p>
          {site.allowances.map((allowance) => (
            <SiteAllowance key={allowance.token} allowance={allowance} />
          ))}
          {site.setAside && <ReservedBySite site={site.setAside} rate={rate} />}
          <SitePermissions site={site} />
          <Blocking site={site} />
        </div>
      </details>
    </li>
  );
}

function SiteState({ site: { allowances, permissions, blockedUntil, refusedAt } }: { site: SiteView }) {
  if (blockedUntil !== null) {
    return (
      <span class="badge badge-danger">
        {blockedUntil === 'for-good' ? t.blockedForGood : t.blockedFor({ time: formatDay(blockedUntil) })}
      </span>
    );
  }
  const has = allowances.map(({ left, currency }) => t.leftShort({ left: formatLeft(left, currency) }));
  if (permissions.length > 0) has.push(permissionTexts.count({ n: permissions.length }));
  if (has.length > 0) return <span class="list-note amount">{has.join(', ')}</span>;
  return <span class="list-note">{refusedAt !== null && t.refusedAgo({ age: formatAge(refusedAt) })}</span>;
}

const HOURS = { hour: 1, day: 24, always: null } as const;

function Blocking({ site: { origin, blockedUntil } }: { site: SiteView }) {
  const [choosing, setChoosing] = useState(false);
  const block = useAction(async (time: keyof typeof HOURS) => {
    await call('sites/block', { origin, hours: HOURS[time] });
    setChoosing(false);
  });
  const unblock = useAction(async () => void (await call('sites/unblock', { origin })));
  if (blockedUntil !== null) {
    return (
      <>
        <ErrorNote error={unblock.error} />
        <button
          type="button"
          class="button button-quiet button-small"
          aria-busy={unblock.busy}
          data-action="unblock"
          onClick={() => unblock.run()}
        >
          {t.unblock}
        </button>
      </>
    );
  }
  if (!choosing)
    return (
      <button
        type="button"
        class="button button-quiet button-small"
        data-action="block"
        onClick={() => setChoosing(true)}
      >
        {t.block}
      </button>
    );
  return (
    <fieldset class="stack stack-tight">
      <legend class="label">{t.blockFor}</legend>
      <div class="cluster">
        {(Object.keys(HOURS) as (keyof typeof HOURS)[]).map((time) => (
          <button
            key={time}
            type="button"
            class="button button-quiet button-small"
            aria-busy={block.busy}
            data-action={`block-${time}`}
            onClick={() => block.run(time)}
          >
            {t.blockTimes[time]}
          </button>
        ))}
        <button type="button" class="button button-quiet button-small" onClick={() => setChoosing(false)}>
          {t.cancel}
        </button>
      </div>
      <ErrorNote error={block.error} />
    </fieldset>
  );
}
