/** Shows a panel with a QR code over the page, for users with a wallet on their phone. */
import { correction, generate } from 'lean-qr/nano';
import { adoptStyle, make } from '../button/elements.ts';
import type { PhonePart, PhoneRequest } from '../page/parts.ts';
import { fill } from '../text/texts.ts';
import css from './panel.css?inline';
import { inBsv, paymentUri } from './payment-uri.ts';
import { ENGLISH } from './texts.ts';

/** Timeout for the service's rates, in milliseconds. */
const RATE_WAIT = 4000;
/** Quiet zone around the code (modules), which cameras need to detect its edge (ISO/IEC 18004). */
const BORDER = 4;

/** Draws a QR code as one path, dark on white in every theme, as cameras expect. */
function qrCode(text: string): SVGSVGElement {
  const code = generate(text, { minCorrectionLevel: correction.M });
  let path = '';
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x + BORDER} ${y + BORDER}h1v1h-1z`;
  }
  const size = code.size + 2 * BORDER;
  const element = (name: string, attributes: Record<string, string>) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const svg = element('svg', {
    viewBox: `0 0 ${size} ${size}`,
    'shape-rendering': 'crispEdges',
    'aria-hidden': 'true',
  }) as SVGSVGElement;
  svg.append(
    element('rect', { width: '100%', height: '100%', fill: '#fff' }),
    element('path', { d: path, fill: '#000' }),
  );
  return svg;
}

/**
 * Converts the amount to BSV at the service's rate. Null if there is no rate, or if a test network's rate would be
 * applied to real money.
 */
async function amountInBsv({ address, amount, currency, serviceUrl }: PhoneRequest): Promise<string | null> {
  if (currency === 'BSV') return amount;
  if (serviceUrl === null) return null;
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${serviceUrl}api/v2/${path}`, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(RATE_WAIT),
    });
    return answer.json();
  };
  try {
    const [{ rates }, { network }] = (await Promise.all([ask('rates'), ask('network')])) as [
      { rates: Record<string, string> },
      { network: string },
    ];
    return address.startsWith('1') === (network === 'mainnet') ? inBsv(amount, String(rates[currency])) : null;
  } catch {
    return null;
  }
}

async function show(root: ShadowRoot, request: PhoneRequest): Promise<void> {
  const texts = request.texts ?? ENGLISH;
  const line = (text: string, attributes: Record<string, string> = {}) => make('p', attributes, text);
  const close = make('button', { type: 'button', autofocus: '' }, texts.close);
  const amount = line(request.amountText, { class: 'sum' });
  const code = make('div', { class: 'code', 'aria-busy': 'true' });
  const dialog = make(
    'dialog',
    { 'aria-label': texts.title, part: 'panel' },
    make('h2', {}, texts.title),
    amount,
    code,
    line(texts.scan),
    line(request.address, { class: 'address', dir: 'ltr' }),
    line(texts.note, { class: 'note' }),
    close,
  );
  adoptStyle(root, css);
  close.onclick = () => dialog.close();
  // The target of a click outside the panel is the dialog itself.
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.onclose = () => dialog.remove();
  root.append(dialog);
  dialog.showModal();

  const bsv = await amountInBsv(request);
  const uri = paymentUri(request.address, bsv, request.label ?? '');
  if (bsv === null)
    code.nextElementSibling!.textContent += ` ${fill(texts.enterAmount, { amount: request.amountText })}`;
  else if (request.currency !== 'BSV') amount.textContent = `${request.amountText} ≈ ${bsv} BSV`;
  code.append(qrCode(uri));
  code.ariaBusy = 'false';
  close.before(make('a', { href: uri }, texts.open));
}

export const PAYMENT_PANEL: PhonePart = { show: (root, request) => void show(root, request) };
