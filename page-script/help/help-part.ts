/** Helps visitors who can't pay right away get a wallet, pay by phone or fix a problem. */
import { readAddress } from '../../protocol/bitcoin/address.ts';
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { adoptStyle, icon, make } from '../button/elements.ts';
import type { HelpKit, HelpPart, PhonePart, PhoneRequest } from '../page/parts.ts';
import { fill } from '../text/texts.ts';
import { networkFaultOf } from '../options/networks.ts';
import { ADDRESS } from '../options/notation.ts';
import css from './help.css?inline';
import { advise } from './advice.ts';
import { askCost } from './ask-cost.ts';
import { step } from './second-step.ts';
import { ENGLISH } from './texts.ts';

/** Line drawings (see {@link icon}). */
const WALLET = 'M17 9V5H4v14h16V9H4M15 14h.01';
const RELOAD = 'M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5';
const CODE = 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v6h-6';

/**
 * Returns a function that opens the panel for paying by phone, or null if the payment can't be written as a payment
 * URI.
 */
function phonePaymentOpener({
  root,
  situation,
  face,
  serviceUrl,
  draw,
  isAvailable,
  part,
}: HelpKit): (() => void) | null {
  const { configuration, locale, texts } = situation;
  const { outputs: [output, second] = [], opReturn, cryptoOperations } = configuration!.payment;
  const address = output?.address ?? output?.to ?? '';
  const { amount, currency = '' } = output ?? {};
  const isPlain = !second && !opReturn && !cryptoOperations && !isAssetName(currency) && ADDRESS.test(address);
  if (!isPlain || !amount || !isAvailable('phone')) return null;
  const request: PhoneRequest = {
    address,
    amount,
    currency,
    amountText: face.amount!,
    label: configuration!.options.label,
    locale,
    texts: texts.phone,
    serviceUrl,
  };
  const settled = () => {
    draw();
    // Deferred until other callbacks have redrawn the button, so closing the panel returns focus to the right element.
    if (isAvailable('phone')) queueMicrotask(show);
  };
  const show = () => part<PhonePart>('phone', settled)?.show(root, request);
  return show;
}

/** Whether the visitor has left this page to get a wallet, and whether the visitor has returned. */
let [hasLeft, isBack] = [false, false];
const walletless = new Map<ShadowRoot, () => void>();

/**
 * Offers a reload when the visitor returns, because some browsers don't let a new wallet access pages that are already
 * open.
 */
function comeBack(): void {
  if (!hasLeft || document.visibilityState !== 'visible') return;
  isBack = true;
  document.removeEventListener('visibilitychange', comeBack);
  for (const [root, draw] of walletless) if (root.host.isConnected) draw();
}

function leave(): void {
  if (!hasLeft) document.addEventListener('visibilitychange', comeBack);
  hasLeft = true;
}

let last = { text: '', is: false };

export const HELP_PART: HelpPart = {
  texts: ENGLISH,
  mayReload: () => isBack,
  askCost,
  networkFaultOf,
  step,
  advise,
  isAddress(text) {
    // Cached because a page's buttons often pay the same address, and computing the checksum is slow.
    if (last.text !== text) last = { text, is: readAddress(text) !== null };
    return last.is;
  },
  instead(kit) {
    const { root, face, serviceUrl } = kit;
    const { opensNewTab, payByPhone: title } = { ...ENGLISH, ...kit.situation.texts };
    adoptStyle(root, css);
    walletless.set(root, kit.draw);
    const get = make(
      'a',
      {
        class: 'get',
        part: 'get-wallet',
        ...(!isBack && { target: '_blank', rel: 'noopener' }),
        'aria-label': `${isBack ? face.label : fill(opensNewTab, { text: face.label })}. ${face.name}`,
      },
      make('span', { class: 'thumb' }, icon(isBack ? RELOAD : WALLET)),
    );
    if (isBack) {
      get.href = location.href;
      get.onclick = (event) => {
        event.preventDefault();
        location.reload();
      };
    } else if (serviceUrl) {
      get.href = `${serviceUrl}wallet`;
      // `auxclick` is a click with the middle button.
      get.onclick = get.onauxclick = leave;
    }
    const open = phonePaymentOpener(kit);
    if (!open) return [get];
    const button = make(
      'button',
      { class: 'phone', part: 'phone', type: 'button', 'aria-label': title, title },
      icon(CODE),
    );
    button.onclick = open;
    return [get, button];
  },
};
