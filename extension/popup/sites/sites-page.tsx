import type { Rate, SiteView } from '../../../protocol/messages/wallet-messages.ts';
import { allowanceTexts as t } from '../../ui/texts/texts.ts';
import { PageHead } from '../page-head.tsx';
import { SiteRow } from './site-row.tsx';
import { SwipeCard } from './swipe-card.tsx';
import './sites-page.css';

/**
 * Shows one-swipe payments, and lists the sites that have an allowance or permissions, or that were blocked or
 * rejected.
 */
export function SitesPage({ sites, rate }: { sites: SiteView[] | null; rate: Rate | null }) {
  return (
    <section>
      <div class="popup-page">
        <PageHead title={t.sites} />
      </div>
      <SwipeCard rate={rate} />
      {sites?.length === 0 && (
        <div class="empty">
          <p>{t.none}</p>
          <p>{t.noneNote}</p>
        </div>
      )}
      {sites !== null && sites.length > 0 && (
        <ul class="list">
          {sites.map((site) => (
            <SiteRow key={site.origin} site={site} rate={rate} />
          ))}
        </ul>
      )}
    </section>
  );
}
