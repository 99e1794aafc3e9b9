/** The first page of an account: who one is here, and one's profile. */
import { profileChange } from '../../../protocol/api-v2.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import type { Currencies, CurrencySource } from '../../rates/currencies.ts';
import { changeProfile } from '../../identity/profile.ts';
import { readBody } from '../../http/body.ts';
import type { User } from '../../identity/accounts.ts';
import type { Fields } from '../form.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { AccountContext, AccountRouter, Visit } from './account-router.ts';
import { pictureOf } from './picture-page.ts';
import { day, field, formToken, named, noticeBanner, problemBanner, type FormState } from './parts.ts';

/** Languages that people are offered, by code. */
const LANGUAGES = [
  'ar',
  'bn',
  'de',
  'en',
  'es',
  'fr',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'ru',
  'sw',
  'tr',
  'uk',
  'vi',
  'zh',
];
const languageName = (code: string) => new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;

const fieldsOfUser = ({ name, bio, defaultCurrency, defaultLanguage }: User): Fields => ({
  name,
  bio,
  defaultCurrency,
  defaultLanguage,
});

function choice(
  name: string,
  label: string,
  options: readonly { code: string; name: string }[],
  { values }: FormState,
): Html {
  const chosen = values[name] ?? '';
  // What another client of the API chose stays, although it is not offered here.
  const all = options.some(({ code }) => code === chosen) ? options : [{ code: chosen, name: chosen }, ...options];
  return html`<div class="field">
<label class="label" for="${name}">${label}</label>
<select class="select" id="${name}" name="${name}">
${all.map(({ code, name: text }) => html`<option value="${code}"${code === chosen && html` selected`}>${text}${text !== code && ` (${code})`}</option>\n`)}</select>
</div>`;
}

function accountPage({ viewer, flash }: Visit, { fiat, crypto }: Currencies, form: FormState): Page {
  const { user, paymail } = viewer;
  const picture = pictureOf(user);
  return {
    title: form.problems ? 'Not saved: your account' : 'Your account',
    description: 'Your account and profile.',
    section: 'overview',
    main: html`
${noticeBanner(flash)}
<section class="stack stack-tight">
<h1 class="title">Your account</h1>
<p class="lead">${user.name === '' ? 'You are' : html`${named(user.name)}, you are`} signed in.</p>
</section>
<section class="card stack" aria-labelledby="who">
<h2 class="subheading" id="who">How people pay you</h2>
<dl class="facts">
<dt>Paymail</dt><dd class="mono whole">${paymail}</dd>
<dt>User ID</dt><dd class="mono whole">${user.id}</dd>
<dt>Member since</dt><dd>${day(user.createdAt)}</dd>
</dl>
<p class="hint">Your money is in your wallet, not here: this service doesn’t have your keys and can’t spend it.</p>
</section>
<section class="card stack stack-tight" aria-labelledby="picture">
<h2 class="subheading" id="picture">Picture</h2>
${picture ?? html`<p class="muted">People you pay see your initials.</p>`}
<p><a class="button" href="/account/picture">${picture === null ? 'Add a picture' : 'Change the picture'}</a></p>
</section>
<form class="card stack" method="post" action="/account" aria-labelledby="profile">
<h2 class="subheading" id="profile">Profile</h2>
<p class="muted">Anyone who knows your paymail can see your name and picture. Applications see the rest only if you allow them to.</p>
${problemBanner(form.problems)}
${formToken(viewer)}
${field({ name: 'name', label: 'Name', most: 100, autocomplete: 'name' }, form)}
${field({ name: 'bio', label: 'About you', most: 1000, rows: 3 }, form)}
${choice('defaultCurrency', 'Currency', [...fiat, ...crypto], form)}
${choice(
  'defaultLanguage',
  'Language',
  LANGUAGES.map((code) => ({ code, name: languageName(code) })),
  form,
)}
<p><button class="button button-primary">Save profile</button></p>
</form>
<form class="card stack stack-tight" method="post" action="/sign-out" aria-labelledby="out">
<h2 class="subheading" id="out">Sign out</h2>
<p class="muted">Ends your session on this site in this browser. Your wallet and connected apps aren’t affected.</p>
${formToken(viewer)}
<p><button class="button button-quiet">Sign out</button></p>
</form>`,
  };
}

/** GET and POST /account */
export function accountPages(
  { get, post }: AccountRouter,
  { db, currencies }: AccountContext & { currencies: CurrencySource },
): void {
  get('/account', async (visit) =>
    accountPage(visit, await currencies(), { values: fieldsOfUser(visit.viewer.user), problems: null }),
  );

  post('/account', async (fields, visit) => {
    const { name, bio, defaultCurrency, defaultLanguage } = fields;
    try {
      const change = readBody(profileChange, {
        name: name?.trim(),
        bio: bio?.trim(),
        defaultLanguage,
        ...(defaultCurrency !== visit.viewer.user.defaultCurrency && { defaultCurrency }),
      });
      await changeProfile(db, visit.viewer.user.id, change, currencies);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid-request') throw error;
      return { again: accountPage(visit, await currencies(), { values: fields, problems: { '': error.message } }) };
    }
    return { to: '/account', flash: { notice: 'profile-saved' } };
  });
}
