/** The application's three pages. All external data is escaped. */
import type { User } from './api.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? '');

/** Formats `2026-01-31T12:34:56.789Z` as `2026-01-31 12:34 UTC`. */
const moment = (time: string) => escape(`${time.slice(0, 16).replace('T', ' ')} UTC`);

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

const SIGN_IN =
  '<p><a class="button" href="/sign-in">Sign in with Service Button</a></p>\n<p>No account yet? <a href="/sign-in?new">Create one</a></p>';

export function homePage(note = 'See what an application learns about you when you let it.'): string {
  return page('Notes', `<h1>Notes</h1>\n<p id="note">${escape(note)}</p>\n${SIGN_IN}`);
}

export function problemPage(problem: string): string {
  return page('Not signed in', `<h1>Not signed in</h1>\n<p id="problem">${escape(problem)}</p>\n${SIGN_IN}`);
}

const STATUSES: Partial<Record<string, string>> = {
  PENDING: 'Pending',
  RECEIVED: 'On its way',
  COMPLETED: 'Confirmed',
  FAILED: 'Failed',
};

export function userPage({ id, name, profile, balance, payments }: User): string {
  const amounts = balance?.amounts.map(({ amount, currency }) => `${escape(amount)} ${escape(currency)}`).join(', ');
  const rows = payments.map(
    ({ amount, currency, status, createdAt }) =>
      `<tr><td>${moment(createdAt)}</td><td>${escape(amount)} ${escape(currency)}</td><td>${escape(STATUSES[status] ?? status)}</td></tr>`,
  );
  return page(
    'Notes',
    `<h1>Hello, <span id="name">${escape(name || profile.paymail)}</span></h1>
<dl>
<dt>User ID</dt><dd id="user-id">${escape(id)}</dd>
<dt>Paymail</dt><dd id="paymail">${escape(profile.paymail)}</dd>
<dt>Currency</dt><dd>${escape(profile.defaultCurrency)}</dd>
<dt>Balance</dt><dd id="balance">${amounts === undefined ? 'Your wallet has not told it yet.' : `${amounts} (as of ${moment(balance?.time ?? '')})`}</dd>
</dl>
<h2>Your last payments</h2>
${rows.length === 0 ? '<p>None yet.</p>' : `<table id="payments">\n<thead><tr><th scope="col">When</th><th scope="col">Amount</th><th scope="col">Status</th></tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`}
<form method="post" action="/sign-out"><button class="button">Sign out</button></form>`,
  );
}
