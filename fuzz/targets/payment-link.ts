/** Fuzzes the contents of QR codes, and web addresses that applications specify. */
import { readPaymentLink, writePaymentLink } from '../../extension/popup/send/payment-link.ts';
import { isRedirectAddress, isSiteAddress } from '../../protocol/text/web-address.ts';
import { parseDecimal } from '../../protocol/money/money.ts';
import { must, mustEqual, target, textOf } from '../target.ts';

export default target({
  form: 'bytes',
  seeds: () => [
    'bitcoin:mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb?sv&amount=0.5&label=Tea',
    'bsv:ann@pay.example?amount=1',
    'pay:?r=https://a.example/x',
    'bitcoin:a%40b?sv&req-x=1',
    'https://shop.example/back?a=1',
    'http://127.0.0.1:3000/',
  ],
  read: (input) => ({
    link: readPaymentLink(textOf(input)),
    isSite: isSiteAddress(textOf(input)),
    isBack: isRedirectAddress(textOf(input)),
  }),
  check: ({ link, isSite, isBack }, input) => {
    const text = textOf(input);
    must(isSite || !isBack, 'the return URL is not a site');
    if (isSite) {
      const { protocol, username, password, hash, hostname } = new URL(text);
      must(
        protocol === 'https:' || /^(?:127\.|localhost$|.*\.localhost$|\[::1\]$)/.test(hostname),
        'the site is not https',
      );
      mustEqual(username + password + hash, '', 'the site has a user or a fragment');
    }
    if (link === null || typeof link === 'string') return;
    must(link.to !== '', 'the recipient is empty');
    if (link.amount !== null) parseDecimal(link.amount);
    mustEqual(readPaymentLink(writePaymentLink(link)), link, 'read differently');
  },
});
