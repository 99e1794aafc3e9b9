/**
 * The page on which people sign in with their wallet, or make an account with it. Its script shows one part at a time.
 */
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';

/** What the page is for. */
export type Landing = 'login' | 'register';

/** What the page says. */
export interface SignInDetails {
  landing: Landing;
  /** A path of this server, checked. */
  returnTo: string;
  /** The name of the application that sent the user here, as its owner wrote it; null where none did. */
  application: string | null;
  /** What follows the @ of a paymail here. */
  paymailDomain: string;
}

/** The same page for the other purpose. */
const other = (landing: Landing, returnTo: string) =>
  `/sign-in?${new URLSearchParams({ ...(landing === 'register' && { landing }), return: returnTo })}`;

/** GET /sign-in */
export function signInPage(details: SignInDetails): Page {
  const { landing, returnTo, paymailDomain } = details;
  const registers = landing === 'register';
  return {
    title: registers ? 'Create an account' : 'Sign in',
    description: 'Sign in with the wallet in your browser. No password needed.',
    scripts: ['/assets/sign-in.js'],
    main: html`
<div class="stack stack-tight">
<h1 class="title">${registers ? 'Create your account' : 'Sign in'}</h1>
<p class="lead">${lead(details)}</p>
</div>
<noscript><p class="banner banner-warning">Signing in requires JavaScript: this page uses it to talk to your wallet.</p></noscript>
<section id="sign-in" class="card" aria-label="${registers ? 'Create your account' : 'Sign in'}" data-state="looking" data-landing="${landing}" data-return="${returnTo}">
<div class="stack">
<p id="looking" class="muted" role="status">Looking for your wallet…</p>
<div id="no-wallet" class="stack" hidden>
<h2 class="subheading">No wallet found in this browser</h2>
<p>Your account belongs to a wallet: a small browser extension that keeps your keys and signs for you. Nobody else has your keys, and there’s no password for us to lose.</p>
<p class="cluster"><a class="button button-primary" href="/wallet" target="_blank" rel="noopener">Get the wallet<span class="visually-hidden"> (opens in a new tab)</span></a></p>
<p class="muted">Leave this page open. It continues by itself once the wallet is installed.</p>
</div>
${registers ? registration(paymailDomain) : signingIn()}
</div>
<div id="message" class="sign-in-says" role="alert"></div>
<p id="waiting" class="sign-in-says muted" role="status"></p>
</section>
<p class="muted" id="other">${
      registers
        ? html`Already have an account? <a class="link" href="${other('login', returnTo)}">Sign in</a>`
        : html`No account yet? <a class="link" href="${other('register', returnTo)}">Create one</a>`
    }</p>`,
  };
}

function lead({ landing, application }: SignInDetails): Html {
  const what = landing === 'register' ? 'All you need is a handle' : 'Your wallet signs you in';
  return application === null
    ? html`${what}. No password, no email.`
    : html`${what}. Then we’ll ask whether <strong class="anywhere">${application}</strong> may access what it’s requesting.`;
}

function signingIn(): Html {
  return html`<form id="login" class="stack" hidden>
<p>Your wallet will open a window that shows this site’s address and what you’re signing.</p>
<button class="button button-primary button-block">Sign in with your wallet</button>
</form>`;
}

function registration(paymailDomain: string): Html {
  return html`<form id="register" class="stack" hidden novalidate>
<div class="field">
<label class="label" for="handle">Handle</label>
<input class="input" id="handle" name="handle" maxlength="30" required autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" aria-describedby="handle-hint handle-error" data-domain="${paymailDomain}">
<div class="hint" id="handle-hint" role="status">3 to 30 letters, digits, dots or hyphens.</div>
<div class="field-error" id="handle-error" role="alert"></div>
</div>
<div class="field">
<label class="label" for="name">Your name (optional)</label>
<input class="input" id="name" name="name" maxlength="100" autocomplete="name" aria-describedby="name-hint">
<div class="hint" id="name-hint">People who pay you may see this.</div>
</div>
<button class="button button-primary button-block">Create account with your wallet</button>
</form>`;
}
