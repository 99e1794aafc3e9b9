/**
 * Sells an article paragraph by paragraph. Readers pay from an allowance, so they aren't prompted for each paragraph.
 */
import { PaymentError, serviceButton, setServiceUrl } from 'service-button';

const PARAGRAPHS: readonly string[] = [
  'The lamp on Skarn Point burned for a hundred and eleven years, and for all of them somebody wrote down what it cost. The ledgers fill a shelf in the harbour office: oil, wicks, a new pane after every second winter, and once, without further comment, one goat.',
  'Ships paid by the passage. A captain who came in under the light owed the keeper three pence, whatever he carried, and the boy who rowed out to collect it got one of them. It was too little to argue about, which is why nobody did.',
  'When the company in the capital took over, it found three pence too small to be worth a clerk. It sold yearly licences instead. The big lines bought them; the fishermen, who came in eight times a year or eighty, could not say in advance how often they would need a light, and went without.',
  'The last keeper, Ane Holm, kept both books. In the company’s she wrote what the licences brought. In her own she wrote the boats that passed in the dark without one, and what they would have paid if anyone had still been there to take three pence.',
  'Her sum, carried forward for nineteen years, comes to slightly more than the licences. The harbour office keeps it under glass. Below the last line she has written: “It was never too little. It was only too much trouble.”',
];

// The service that receives the payment reports.
setServiceUrl('http://localhost:3000');

const PRICE = { to: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', amount: '0.01', currency: 'USD' };

const imb = new serviceButton.IMB({
  clientIdentifier: 'lighthouse-weekly', // your application's client identifier
});

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const text = find('text');
const buttons = [find<HTMLButtonElement>('more'), find<HTMLButtonElement>('allow')] as const;
const [more, allow] = buttons;
let read = 0;

function show(): void {
  const paragraph = document.createElement('p');
  paragraph.textContent = PARAGRAPHS[read] ?? '';
  text.append(paragraph);
  read += 1;
  more.hidden = read === PARAGRAPHS.length;
}

function asMoney(amount: string, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 6 }).format(
    amount as Intl.StringNumericLiteral,
  );
}

/** Runs an action with the buttons disabled, then shows the remaining allowance or the error. */
async function attempt(action: () => Promise<void>): Promise<void> {
  for (const button of buttons) button.disabled = true;
  try {
    await action();
    const { amount, currency, satoshis } = await imb.amountLeft();
    allow.hidden = satoshis !== '0';
    find('note').textContent = allow.hidden ? `${asMoney(amount, currency)} of your allowance left.` : '';
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    find('note').textContent = error.message;
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

// If the allowance isn't sufficient, the wallet prompts the user as for any other payment.
more.addEventListener('click', () =>
  attempt(async () => {
    await imb.swipe({ ...PRICE, buttonId: `paragraph-${read}` });
    show();
  }),
);

allow.addEventListener('click', () =>
  attempt(async () => {
    // The amount prefills the wallet's form. If it were passed to `new IMB`, the wallet would also suggest it with the
    // first payment.
    await imb.askForPermission({ suggestedAmount: { amount: '0.50', currency: 'USD' } });
  }),
);

// The first paragraph is free. A real magazine sends each further paragraph only after verifying its payment.
show();
