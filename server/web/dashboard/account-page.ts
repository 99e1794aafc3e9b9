import { profileChange } from '../../../protocol/http/api-v2.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Currencies, CurrencySource } from '../../rates/currencies.ts';
import { changeProfile } from '../../identity/profile.ts';
import { readBody } from '../../http/body.ts';
import type { User } from '../../identity/accounts.ts';
import type { Fields } from '../form.ts';
import { nameOf } from '../../page/figures.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { AccountContext, AccountRouter, Visit } from './account-router.ts';
import { pictureOf } from './picture-page.ts';
import { day, field, formToken, named, noticeBanner, problemBanner, type FormState } from './parts.ts';

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
  // Keeps a language that another API client has set, even if it isn't offered here.
  const all = options.some(({ code }) => code === chosen) ? options : [{ code: chosen, name: chosen }, ...options];
  return html`<div class="field">
<label class="label" for="${name}">${label}</label>
<select class="select" id="${name}" name="${name}">
${all.map(({ code, name: text }) => html`<option value="${code}"${code === chosen && html` selected`}>${text}${text !== code && ` (${code})`}</option>\n`)}</select>
</div>`;
}

function accountPage(visit: Visit, { fiat, crypto }: Currencies, form: FormState): Page {
  const { viewer, words } = visit;
  const { user, paymail } = viewer;
  const { overview: t, form: f, picture: p } = words.texts.account;
  const picture = pictureOf(user, words);
  const currencies = [...fiat, ...crypto].map(({ code, name }) => ({
    code,
    name: nameOf('currency', code, words.language) ?? name,
  }));
  return {
    title: form.problems ? f.notSaved({ title: t.title }) : t.title,
    description: t.description,
    section: 'overview',
    main: html`
${noticeBanner(visit)}
<section class="stack stack-tight">
<h1 class="title">${t.title}</h1>
<p class="lead">${user.name === '' ? t.signedIn : t.signedInAs({ name: named(user.name) })}</p>
</section>
<section class="card stack" aria-labelledby="who">
<h2 class="subheading" id="who">${t.getPaid}</h2>
<dl class="facts">
<dt>Paymail</dt><dd class="mono whole">${paymail}</dd>
<dt>${t.userId}</dt><dd class="mono whole">${user.id}</dd>
<dt>${t.memberSince}</dt><dd>${day(user.createdAt, words)}</dd>
</dl>
<p class="hint">${t.custody}</p>
</section>
<section class="card stack stack-tight" aria-labelledby="picture">
<h2 class="subheading" id="picture">${p.title}</h2>
${picture ?? html`<p class="muted">${p.none}</p>`}
<p><a class="button" href="/account/picture">${picture === null ? p.add : p.change}</a></p>
</section>
<form class="card stack" method="post" action="/account" aria-labelledby="profile">
<h2 class="subheading" id="profile">${t.profile}</h2>
<p class="muted">${t.profileText}</p>
${problemBanner(form.problems, words)}
${formToken(viewer)}
${field({ name: 'name', label: t.name, most: 100, autocomplete: 'name' }, form)}
${field({ name: 'bio', label: t.bio, most: 1000, rows: 3 }, form)}
${choice('defaultCurrency', t.currency, currencies, form)}
${choice(
  'defaultLanguage',
  t.language,
  LANGUAGES.map((code) => ({ code, name: nameOf('language', code, words.language) ?? code })),
  form,
)}
<p><button class="button button-primary" type="submit">${t.save}</button></p>
</form>
<form class="card stack stack-tight" method="post" action="/sign-out" aria-labelledby="out">
<h2 class="subheading" id="out">${t.signOut}</h2>
<p class="muted">${t.signOutText}</p>
${formToken(viewer)}
<p><button class="button button-quiet" type="submit">${t.signOut}</button></p>
</form>`,
  };
}

/** Serves GET and POST /account. */
export function accountPages(
  { get, post }: AccountRouter,
  { db, currencies }: AccountContext & { currencies: CurrencySource },
): void {
  get('/account', async (visit) =>
    accountPage(visit, await currencies(), {
      words: visit.words,
      values: fieldsOfUser(visit.viewer.user),
      problems: null,
    }),
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
      const form = { words: visit.words, values: fields, problems: { '': error.message } };
      return { again: accountPage(visit, await currencies(), form) };
    }
    return { to: '/account', flash: { notice: 'profile-saved' } };
  });
}
