/**
 * Script for the account pages: times in the viewer's time zone, copy buttons for identifiers and secrets, and the
 * redirect after a refund. Without it, times are in UTC, and a click selects the text to copy.
 */
(() => {
  'use strict';

  /** Text in the page's language. */
  const texts = JSON.parse(document.querySelector('main').dataset.texts);
  const { lang } = document.documentElement;
  const locale = lang === 'en' ? 'en-GB' : lang === 'ar' ? 'ar-u-nu-latn' : lang;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

  /** Stores the time zone in a cookie for the server's daily totals. Reloads once if the page uses a different one. */
  function rememberZone() {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `time-zone=${encodeURIComponent(zone)}; Path=/account; Max-Age=31536000; SameSite=Lax${secure}`;
    const shown = document.querySelector('[data-shown-in]')?.getAttribute('data-shown-in');
    if (shown === undefined || shown === null || shown === zone) return;
    try {
      if (sessionStorage.getItem('time-zone') === zone) return;
      sessionStorage.setItem('time-zone', zone);
    } catch {
      // If storage is blocked, so are cookies, and the page would reload forever.
      return;
    }
    location.reload();
  }

  function showTimes() {
    const format = new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    for (const time of document.querySelectorAll('time[datetime]')) {
      if (!time.textContent.endsWith(' UTC')) continue;
      time.title = time.textContent;
      time.textContent = format.format(new Date(time.dateTime));
    }
    for (const note of document.querySelectorAll('[data-zone-note]'))
      note.textContent = texts.timesIn.replace('{zone}', () => zone.replaceAll('_', ' '));
  }

  function labelOf(element) {
    const value = element.closest('dd') ?? element;
    return value.previousElementSibling?.textContent.trim() ?? '';
  }

  function offerCopies() {
    if (!navigator.clipboard) return;
    for (const element of document.querySelectorAll('.whole')) {
      const text = element.textContent;
      const button = document.createElement('button');
      const name = labelOf(element);
      button.type = 'button';
      button.className = 'button button-small copy';
      button.textContent = texts.copy;
      if (name !== '')
        button.setAttribute(
          'aria-label',
          texts.copyWhat.replace('{what}', () => name),
        );
      const spoken = document.createElement('span');
      spoken.className = 'visually-hidden';
      spoken.setAttribute('role', 'status');
      let shown;
      button.addEventListener('click', async () => {
        const done = await navigator.clipboard.writeText(text).then(
          () => true,
          () => false,
        );
        button.textContent = done ? texts.copied : texts.notCopied;
        spoken.textContent = done ? texts.copied : texts.copyYourself;
        clearTimeout(shown);
        shown = setTimeout(() => {
          button.textContent = texts.copy;
          spoken.textContent = '';
        }, 2000);
      });
      if (element.tagName === 'DD') {
        const value = document.createElement('span');
        value.className = element.className;
        value.textContent = text;
        element.className = 'copied';
        element.replaceChildren(value, button, spoken);
      } else element.after(' ', button, spoken);
    }
  }

  /** Opens the payment's page, which shows the refund. The delay leaves time to read the button's message. */
  globalThis.onRefunded = () => {
    const { href } = document.querySelector('[data-payment] a');
    setTimeout(() => location.assign(href), 2500);
  };

  /** Removes the button if the form changes, because the button would still pay the previously submitted values. */
  function payOnlyWhatIsShown() {
    const [form, pay] = [document.querySelector('[data-refund]'), document.querySelector('[data-refund-pay]')];
    form?.addEventListener('input', () => pay?.remove());
  }

  payOnlyWhatIsShown();
  rememberZone();
  showTimes();
  offerCopies();
})();
