type ButtonData = Record<string, string>;

/** The shop's service, as shown on its pages. */
export interface NamedService {
  name: string;
  url: string;
  keeper: { id: string; paymail: string };
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? '');

/** Returns a button. The script's URL determines the button's service. */
function button({ url }: NamedService, data: ButtonData): string {
  const attributes = Object.entries(data).map(
    ([name, value]) => `data-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${escape(value)}"`,
  );
  return `<div class="service-button" ${attributes.join(' ')}></div>
<script src="${escape(url)}/button.js" async></script>`;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<style>
body { margin: 0; min-block-size: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f4f6f6, #0f1516); }
main { box-sizing: border-box; inline-size: min(24rem, 92vw); padding: 1.5rem; border-radius: 12px; background: light-dark(#fff, #182022); box-shadow: 0 4px 24px rgb(0 0 0 / 10%); }
h1 { margin: 0; font-size: 1.25rem; }
p { margin-block: .25rem 1rem; color: light-dark(#566365, #a3b1b3); }
.service-button { inline-size: 100%; }
dl { margin: 1rem 0 0; }
dt { color: light-dark(#566365, #a3b1b3); font-size: .875rem; }
dd { margin: 0 0 .5rem; }
dd, p { overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

/** Returns the shop's page for one order. */
export function shopPage(service: NamedService, data: ButtonData): string {
  const title = `The shop at ${service.name}`;
  return page(
    title,
    `<h1>${escape(title)}</h1>
<p>Its service is ${escape(service.url)}, and it pays user ${escape(data.to ?? '')} there, ${escape(service.keeper.paymail)}.</p>
${button(service, { ...data, onPayment: 'onPaid' })}
<dl id="learned" aria-live="polite"></dl>
<script>
  const order = ${JSON.stringify(`/orders/${data.buttonId}`)};

  async function onPaid({ id }) {
    const response = await fetch(order, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ paymentId: id }),
    });
    const { problem, userId, senderPaymail, refundAddress } = await response.json();
    if (problem) return show('Problem', problem);
    show('Verified. User ID of the payer here', userId ?? 'none');
    show('Paymail of the payer', senderPaymail ?? 'none');
    show('Refund address', refundAddress ?? 'none');
    if (!refundAddress) return;
    const link = Object.assign(document.createElement('a'), { href: order + '/refund', textContent: 'Give the money back' });
    document.getElementById('learned').append(link);
  }

  function show(name, value) {
    const [dt, dd] = ['dt', 'dd'].map((tag) => document.createElement(tag));
    dt.textContent = name;
    dd.textContent = value;
    document.getElementById('learned').append(dt, dd);
  }
</script>`,
  );
}

/** Returns the shopkeeper's page, with a button that refunds a visitor's payment to its payer. */
export function refundPage(service: NamedService, data: ButtonData): string {
  return page(
    'Give the money back',
    `<h1>Give the money back</h1>
<p>To ${escape(data.to ?? '')}. The payer needs no account for that. Paid from the shop’s own account, the service notes it with the payment.</p>
${button(service, data)}`,
  );
}
