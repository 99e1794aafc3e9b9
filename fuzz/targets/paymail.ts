/**
 * Fuzzes paymails as text. Paymails must survive serialization unchanged, and must not escape the path of a URL
 * template.
 */
import { isIP } from 'node:net';
import { hostUrl, isPublicForm } from '../../wallet/paymail/host.ts';
import { shownName } from '../../wallet/paymail/profile.ts';
import { lookAlike } from '../../protocol/text/look-alike.ts';
import { fillTemplate, readPaymail, writePaymail } from '../../protocol/http/paymail.ts';
import { isShownLine } from '../../protocol/text/shown-text.ts';
import { must, mustEqual, target, textOf } from '../target.ts';

const SETTINGS = { network: 'mainnet', serviceUrl: 'https://service.example' } as const;
const TEMPLATE = 'https://host.example/p/{alias}@{domain.tld}/k/{pubkey}';

export default target({
  form: 'bytes',
  seeds: () => [
    'ann@pay.example',
    'Bob.Smith@PAY.example',
    'bob@localhost:3000',
    'ann@xn--bcher-kva.example',
    '\u0430nn@b\u00fccher.example',
    'https://pay.example/x?y',
  ],
  read: (input) => {
    const text = textOf(input);
    return {
      paymail: readPaymail(text),
      url: hostUrl(text, SETTINGS),
      look: lookAlike(text),
      name: shownName(text),
      isPublic: isPublicForm(text),
    };
  },
  check: ({ paymail, url, look, name, isPublic }, input) => {
    const text = textOf(input);
    if (paymail) {
      mustEqual(readPaymail(writePaymail(paymail)), paymail, 'read differently');
      const filled = new URL(fillTemplate(TEMPLATE, paymail));
      mustEqual(filled.origin, 'https://host.example', 'the paymail changes the URL’s host');
      must(
        /^\/p\/[^/]+\/k\/$/.test(filled.pathname) && filled.search + filled.hash === '',
        'the paymail leaves its place in the URL',
      );
    }
    if (url)
      must(
        url.protocol === 'https:' && url.username + url.password + url.hash === '',
        'accepted a URL that must not be queried',
      );
    if (isPublic) mustEqual(isIP(text), 0, 'accepted an IP address as a name');
    if (look) must(/^[\x20-\x7e]*$/.test(look.ascii), 'the ASCII form has other characters');
    if (name !== null) must(isShownLine(name) && [...name].length <= 80, 'accepted a name that can’t be displayed');
  },
});
