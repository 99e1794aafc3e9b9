/** The page for signing in or creating an account with a wallet. Its script shows one part at a time. */
import { html, type Html } from '../../page/html.ts';
import type { TranslatedPage } from '../../page/layout.ts';
import { scriptJson } from '../../page/page-text.ts';
import type { SiteTexts } from '../../page/texts.ts';

type Texts = SiteTexts['signIn'];

export type Landing = 'login' | 'register';

export interface SignInDetails {
  landing: Landing;
  /** A validated path on this server. */
  returnTo: string;
  /** The name, chosen by its owner, of the application that redirected the user here; null if there is none. */
  application: string | null;
  /** The domain of paymails at this service. */
  paymailDomain: string;
}

/** Returns a link to the page's other purpose (signing in or registering). */
const other = (landing: Landing, returnTo: string) =>
  `/sign-in?${new URLSearchParams({ ...(landing === 'register' && { landing }), return: returnTo })}`;

/** Renders GET /sign-in. */
export function signInPage(details: SignInDetails): TranslatedPage {
  const { landing, returnTo, paymailDomain } = details;
  const registers = landing === 'register';
  return ({ signIn: t, wallet }) => {
    const title = registers ? t.titleRegister : t.title;
    return {
      title,
      description: t.description,
      scripts: ['/assets/ask-wallet.js', '/assets/sign-in.js'],
      main: html`
<div class="stack stack-tight">
<h1 class="title">${title}</h1>
<p class="lead">${lead(details, t)}</p>
</div>
<noscript><p class="banner banner-warning">${t.noScript}</p></noscript>
<section id="sign-in" class="card" aria-label="${title}" data-state="looking" data-landing="${landing}" data-return="${returnTo}" data-texts="${scriptJson({ ...t.script, handleHint: t.handleHint })}">
<div class="stack">
<p id="looking" class="muted" role="status">${t.looking}</p>
<div id="no-wallet" class="stack" hidden>
<h2 class="subheading">${t.noWallet}</h2>
<p>${t.noWalletText}</p>
<p class="cluster"><a class="button button-primary" href="/wallet" target="_blank" rel="noopener">${wallet.title}<span class="visually-hidden"> ${t.newTab}</span></a></p>
<p class="muted">${t.stay}</p>
</div>
${registers ? registration(paymailDomain, t) : signingIn(t)}
</div>
<div id="message" class="sign-in-says" role="alert"></div>
<p id="waiting" class="sign-in-says muted" role="status"></p>
</section>
<p class="muted" id="other">${
        registers
          ? html`${t.haveAccount} <a class="link" href="${other('login', returnTo)}">${t.signIn}</a>`
          : html`${t.noAccount} <a class="link" href="${other('register', returnTo)}">${t.createOne}</a>`
      }</p>`,
    };
  };
}

function lead({ landing, application }: SignInDetails, t: Texts): Html | string {
  const registers = landing === 'register';
  if (application === null) return registers ? t.leadRegister : t.lead;
  const name = html`<strong class="anywhere"><bdi>${application}</bdi></strong>`;
  return registers ? t.leadRegisterFor({ application: name }) : t.leadFor({ application: name });
}

function signingIn(t: Texts): Html {
  return html`<form id="login" class="stack" hidden>
<p>${t.window}</p>
<button class="button button-primary button-block" type="submit">${t.withWallet}</button>
</form>`;
}

function registration(paymailDomain: string, t: Texts): Html {
  return html`<form id="register" class="stack" hidden novalidate>
<div class="field">
<label class="label" for="handle">${t.handle}</label>
<input type="text" class="input" id="handle" name="handle" maxlength="30" required autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" aria-describedby="handle-hint handle-error" data-domain="${paymailDomain}">
<div class="hint" id="handle-hint" role="status">${t.handleHint}</div>
<div class="field-error" id="handle-error" role="alert"></div>
</div>
<div class="field">
<label class="label" for="name">${t.name}</label>
<input type="text" class="input" id="name" name="name" maxlength="100" autocomplete="name" aria-describedby="name-hint">
<div class="hint" id="name-hint">${t.nameHint}</div>
</div>
<button class="button button-primary button-block" type="submit">${t.createWithWallet}</button>
</form>`;
}
