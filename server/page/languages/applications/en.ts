/**
 * The texts of the pages of a user's applications in English: form, secrets, webhooks, sales. Other languages are next
 * to it.
 */
import { USER_SCOPES, type UserScope } from '../../../identity/scopes.ts';
import { plural } from '../../figures.ts';
import { html, type Html } from '../../html.ts';

export const applications = {
  list: {
    title: 'Your applications',
    description: 'The applications you build on this service.',
    heading: 'Applications',
    lead: 'For developers: an application lets people sign in to your site, and shows you the payments made through your buttons.',
    create: 'New application',
    full: (most: number) => `You have ${most} applications, the maximum. Delete one before you create another.`,
    none: 'You have no applications yet.',
    noneText:
      'You don’t need one to put a button on a page. Create one to see payments made through your buttons, get webhooks, or let people sign in.',
    created: (day: Html) => html`created ${day}`,
  },

  shops: {
    title: 'Sales',
    lead: 'What your buttons have sold, their code, and the webhooks that tell your server of each payment.',
    none: 'No shop yet.',
    noneText:
      'Name your shop or site once. Then you see its sales here, copy the code of its button and set up its webhooks.',
    create: 'Set up a shop',
    noSales: 'No sales yet.',
    noSalesText: 'Put the code of the button on your page. Payments made with it are listed here.',
    all: 'All sales',
    code: 'Code of the button',
    webhooks: 'Webhooks',
    buttonText:
      'Copy this into your page and change the amount and the label. Payments made with it count as sales of this shop.',
    direct: (link: (text: string) => Html) =>
      html`Payments to your paymail from elsewhere are under ${link('Payments')}.`,
  },

  form: {
    titleNew: 'New application',
    titleEdit: (name: string) => `Edit ${name}`,
    heading: (name: Html) => html`Edit ${name}`,
    description: 'The application’s name, address and webhooks.',
    all: 'All applications',
    lead: 'An application lets people sign in with this service, and lets you see and get notified of the payments made through it.',
    name: 'Name',
    nameHint: 'People see it when your application asks for access.',
    url: 'Site',
    urlHint: 'Your application’s address, starting with https://. People see this too.',
    about: 'Description',
    aboutHint: 'Only you see this.',
    redirectUri: 'Redirect URL',
    redirectUriHint: 'Where people return after allowing access (OAuth). Your application must send exactly this URL.',
    webhookUrl: 'Webhook URL',
    webhookUrlHint:
      'Receives an event for every payment made through your application, and for payments to your paymail.',
    olderHandler: 'Webhooks for an older handler',
    withSecret: (body: Html) => html`Send ${body} instead of the signed body`,
    withSecretHint:
      'Only for a handler that expects this and can’t be changed. Anyone who sees one such body knows the secret; a signed body gives nothing away.',
    bodySecret: 'Secret in the body',
    bodySecretHint:
      'The one your handler checks. A secret you’ve already set isn’t shown: leave this empty to keep it.',
    signIn: 'Sign-in with OAuth',
    stricter: 'Stricter sign-in',
    requirePkce: 'Require PKCE',
    requirePkceHint: 'Recommended if your OAuth library supports it. Most do.',
    requireSecret: 'Require the client secret',
    requireSecretHint:
      'Turn this on if your application runs on a server and sends its secret with every code: a stolen code is then useless without it. Leave it off for pages and apps that run on users’ devices, and for libraries that don’t send a secret in this flow.',
    save: 'Save changes',
    create: 'Create application',
  },

  one: {
    description: 'One of your applications.',
    created: (day: Html) => html`Created ${day}`,
    edit: 'Edit',
    addLogo: 'Add a logo',
    changeLogo: 'Change the logo',
    saveSecret: 'Save this secret',
    saveSecretText: 'Copy it to where your server keeps its secrets. You won’t see it again.',
    saveSecrets: 'Save these secrets',
    saveSecretsText: 'Copy them to where your server keeps its secrets. You won’t see them again.',
    clientSecret: 'Client secret',
    webhookSecret: 'Webhook secret',
    credentials: 'Credentials',
    clientIdentifier: 'Client identifier',
    clientIdentifierText: (attribute: Html) =>
      html`Public. Goes on your buttons as ${attribute}, and identifies your server when it signs in as itself (client credentials).`,
    oauthIdentifier: 'OAuth identifier',
    oauthIdentifierText: (parameter: Html) => html`Public. The ${parameter} for people to sign in with this service.`,
    clientSecretText: 'Shown only when it’s created. We only keep its hash.',
    newClientSecret: 'Create a new client secret',
    redirectUrl: 'Redirect URL',
    noRedirectUrl: 'None yet. Without one, nobody can sign in.',
    addOne: 'Add one',
    required: 'Required',
    requiredPkce: 'PKCE',
    requiredSecret: 'The client secret',
    requiredBoth: 'PKCE and the client secret',
    requiredNothing: 'Only what the standard requires',
    secretOptional: (link: (text: string) => Html) =>
      html`A code can be redeemed without the client secret. If your application runs on a server that sends the secret every time, ${link('require it')}.`,
    discovery: 'OAuth discovery',
    reference: 'API reference',
    access: 'Access',
    ownAccess: 'It can see all payments made through it. Nobody has given it more access yet.',
    accessOf: plural('en', {
      one: 'It can see all payments made through it, and what # person allowed:',
      other: 'It can see all payments made through it, and what # people allowed:',
    }),
    people: plural('en', { one: '# person', other: '# people' }),
    /** Shown after a number of people and a colon: the application's permission from each of them. */
    scopes: Object.fromEntries(
      Object.entries(USER_SCOPES).map(([scope, words]) => [
        scope,
        `can ${words.replace(/\byour\b/g, 'their').replace(/\byou\b/g, 'them')}`,
      ]),
    ) as Record<UserScope, string>,
    seeAllPayments: 'See all payments',
    noPayments: 'No payments yet.',
    testPayment: 'Make a test payment',
    delete: 'Delete this application',
    deleteText: 'We’ll ask you to confirm first.',
    deleteLink: 'Delete…',
  },

  logo: {
    title: 'Logo',
    description: 'The logo of one of your applications.',
    lead: 'People see it beside your application’s name and site when it asks for access, and under “Connected apps”.',
    save: 'Save logo',
    remove: 'Remove logo',
  },

  confirm: {
    description: 'Confirm something that can’t be undone.',
    questions: {
      secret: {
        title: 'Create a new client secret?',
        consequences: [
          'The old secret stops working right away, and so do tokens your server got with it.',
          'Your server needs the new one before it can sign in again.',
          'The access people gave your application stays.',
        ],
        button: 'Create a new client secret',
      },
      'webhook-secret': {
        title: 'Rotate the webhook secret?',
        consequences: [
          'Every event is signed with the new secret from then on, including those still being retried.',
          'Until the old secret expires, events are signed with both, so your server can switch without missing one.',
          'If the old secret may have leaked, expire it immediately. Anything your server rejects until it has the new secret is retried.',
        ],
        button: 'Rotate the secret',
      },
      'webhook-secret-previous': {
        title: 'Expire the old webhook secret?',
        consequences: [
          'Events are signed only with the new secret from then on.',
          'A server that still verifies with the old secret rejects them. Anything it rejects is retried.',
        ],
        button: 'Expire it now',
      },
      delete: {
        title: 'Delete this application?',
        consequences: [
          'People who signed in with it are disconnected, and its tokens stop working right away.',
          'You’ll no longer see the payments made through it. The people who made them still will.',
          'Undelivered webhooks won’t be sent, and the log is deleted.',
          'Its identifiers can’t be reused: payments from buttons that use them won’t be attributed to anyone.',
        ],
        button: 'Delete permanently',
      },
    },
    keepOld: 'Keep the old secret valid for',
    immediately: 'Expire immediately',
    hours: plural('en', { one: '# hour', other: '# hours' }),
    days: plural('en', { one: '# day', other: '# days' }),
  },

  webhooks: {
    title: (name: string) => `Webhooks of ${name}`,
    description: 'Every event, and the outcome of each attempt.',
    heading: 'Webhooks',
    lead: 'Every event, newest first. If one can’t be delivered, we retry for three days.',
    none: 'Get notified on your server of every payment made through this application.',
    add: 'Add a webhook URL',
    sentTo: 'Sent to',
    secretText: 'Signs every event (Standard Webhooks), so your server can verify that it came from us.',
    rotating: (time: Html) => html`Until ${time}, events are signed with the old secret as well.`,
    expireNow: 'Expire it now',
    rotate: 'Rotate the webhook secret',
    body: 'Body',
    bodyText: (body: Html) =>
      html`${body}, with the secret you chose. Change your handler to check the signature as soon as you can: anyone who sees one body can forge the next.`,
    sendTest: 'Send a test event',
    sendTestText: (event: Html) => html`A ${event} event, signed like any other. It is not tied to a payment.`,
    seeAll: 'See all events',
    events: {
      'payment.received': 'Payment received',
      'payment.completed': 'Payment confirmed',
      'payment.contested': 'Payment contested',
      'payment.failed': 'Payment failed',
      'payment.refunded': 'Payment refunded',
      'payment.checked': 'Token checked',
      'webhook.test': 'Test event',
    },
    states: { pending: 'Waiting', delivered: 'Delivered', 'given-up': 'Failed' },
    viewPayment: 'View payment',
    attempts: plural('en', { one: '# attempt', other: '# attempts' }),
    first: (time: Html) => html`First attempt: ${time}, or soon after.`,
    next: (time: Html) => html`Next attempt: ${time}, or soon after.`,
    response: (status: number) => `Response ${status}`,
    milliseconds: (number: string) => `${number} ms`,
    responseBody: 'Response body',
    request: 'Request',
    timeOfAttempt: 'time of the attempt',
    notStored: 'not stored',
    oldBody: (body: Html) => html`Your server gets the payment in the body ${body}.`,
    resend: 'Resend',
    empty: 'No events yet.',
    noMore: 'No more events.',
    more: 'More events',
    /** Why an attempt failed: sentences as stored in the database. `#` stands for a number or a code. */
    errors: {
      'The application has no webhook URL.': 'The application has no webhook URL.',
      'The webhook URL is not https.': 'The webhook URL is not https.',
      'The webhook URL leads to a private address.': 'The webhook URL leads to a private address.',
      'The name of the webhook URL was not found.': 'The name of the webhook URL was not found.',
      'Nothing listens at the webhook URL.': 'Nothing listens at the webhook URL.',
      'No answer within # s.': 'No answer within # s.',
      'The connection failed.': 'The connection failed.',
      'The connection failed (#).': 'The connection failed (#).',
      'The answer was a redirect, which is not followed.': 'The answer was a redirect, which is not followed.',
      'The response was not 2xx.': 'The response was not 2xx.',
      'Not sent: webhooks in the older form announce no refunds.':
        'Not sent: webhooks in the older form announce no refunds.',
    },
  },

  sales: {
    title: (name: string) => `Payments · ${name}`,
    description: 'The payments made through one of your applications.',
    heading: 'Payments',
    daysIn: (zone: Html) => html`Days and times are in ${zone}.`,
    totalIn: 'Total in',
    total: (currency: string) => `Total in ${currency}`,
    payments: plural('en', { one: '# payment', other: '# payments' }),
    unrated: plural('en', {
      one: '# payment not included in the amount: the exchange rate was unknown.',
      other: '# payments not included in the amount: the exchange rate was unknown.',
    }),
    chart: 'Amount per day. The table below has the figures.',
    highest: (amount: Html) => html`Highest day: ${amount}`,
    asTable: 'Show as a table',
    perDay: 'Amount per day',
    day: 'Day',
    paymentsColumn: 'Payments',
    satoshisColumn: 'Satoshis',
    counts:
      'Counts the payments in this currency that name this application on these days, except failed ones, at the exchange rate when each was made. Refunds aren’t deducted. Status and search filter only the list.',
    countsButton:
      'Counts the payments in this currency made with this button on these days, except failed ones, at the exchange rate when each was made. Refunds aren’t deducted. Status and search filter only the list.',
    filter: 'Filter payments',
    from: 'From',
    to: 'To',
    status: 'Status',
    all: 'All',
    button: 'Button',
    buttonHint: 'Its full label or button ID.',
    search: 'Search',
    searchHint: 'A name, paymail, label, button ID, data, note or amount, or the first 6 characters of an ID.',
    apply: 'Apply',
    reset: 'Reset',
    matching: 'Matching payments',
    allPayments: 'All payments',
    export: 'Export CSV',
    noneMatch: 'No payments match these filters.',
    tooSlow: 'The search took too long. Choose fewer days or a longer word.',
    none: 'No payments on these days.',
    unknownPayer: 'Unknown payer',
  },

  test: {
    title: 'Test payment',
    description: 'A payment with play money through one of your applications.',
    lead: 'Pay yourself with play money, through this application, as a customer would.',
    payment: 'Payment',
    noScript: 'The button requires JavaScript.',
    listed: (payments: (text: string) => Html) => html`Once it’s paid, it’s listed under ${payments('Payments')}.`,
    listedAndLogged: (payments: (text: string) => Html, log: (text: string) => Html) =>
      html`Once it’s paid, it’s listed under ${payments('Payments')}, and the ${log('webhook log')} shows how your server responded.`,
    hint: 'Your wallet needs a few coins for it. If it has none, it offers you some from the faucet.',
  },
};

/** All texts of the pages of a user's applications in one language. */
export type ApplicationTexts = typeof applications;
