/** Error pages for requests that can't be answered with a redirect (RFC 6749, section 4.1.2.1). */
import { html } from '../page/html.ts';
import type { TranslatedPage } from '../page/layout.ts';
import type { SiteTexts } from '../page/texts.ts';

/** The authorization endpoint's 403 page, if the submitted decision belongs to another session. */
export const staleFormPage: TranslatedPage = ({ refusal: t }) => ({
  title: t.staleTitle,
  description: t.staleDescription,
  main: html`
<h1 class="title">${t.staleTitle}</h1>
<p class="lead">${t.staleLead}</p>
<p>${t.staleNext}</p>`,
});

/** Returns the authorization endpoint's 400 page. */
export function refusalPage(reason: keyof SiteTexts['refusal']['reasons']): TranslatedPage {
  return ({ refusal: t }) => ({
    title: t.title,
    description: t.description,
    main: html`
<h1 class="title">${t.title}</h1>
<p class="lead">${t.reasons[reason]}</p>
<p>${t.next}</p>
<details class="card"><summary>${t.developers}</summary>
<p class="stack-tight">${t.developersText({ clientId: html`<span class="mono" dir="ltr">client_id</span>`, redirectUri: html`<span class="mono" dir="ltr">redirect_uri</span>` })}</p>
</details>`,
  });
}
