import type { SiteView } from '../../protocol/wallet-messages.ts';
import { allowanceTexts as t } from '../ui/texts-allowance.ts';
import { PageHead } from './page-head.tsx';
import { SiteRow } from './site-row.tsx';
import './sites-page.css';

/** Sites that may spend without asking, and those that are blocked or were rejected. */
export function SitesPage({ sites }: { sites: SiteView[] | null }) {
  return (
    <section>
      <div class="popup-page">
        <PageHead title={t.sites} />
      </div>
      {sites?.length === 0 && (
        <div class="empty">
          <p>{t.none}</p>
          <p>{t.noneNote}</p>
        </div>
      )}
      {sites !== null && sites.length > 0 && (
        <ul class="list">
          {sites.map((site) => (
            <SiteRow key={site.origin} site={site} />
          ))}
        </ul>
      )}
    </section>
  );
}
