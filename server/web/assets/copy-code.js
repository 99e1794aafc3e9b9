/** Adds a copy button to each code block if the clipboard is available. */
(() => {
  'use strict';

  if (!navigator.clipboard) return;
  /** Text in the page's language. */
  const texts = JSON.parse(document.querySelector('main').dataset.texts);

  for (const frame of document.querySelectorAll('.code-frame')) {
    const block = frame.querySelector('.code');
    const head = frame.querySelector('.code-head');
    if (!block || !head) continue;
    const copy = document.createElement('button');
    copy.type = 'button';
    copy.className = 'button button-quiet button-small';
    copy.textContent = texts.copy;
    copy.setAttribute(
      'aria-label',
      texts.copyWhat.replace('{what}', () => block.getAttribute('aria-label') ?? ''),
    );
    const said = document.createElement('span');
    said.className = 'visually-hidden';
    said.setAttribute('role', 'status');
    let later;
    const say = (shown, spoken) => {
      copy.textContent = shown;
      said.textContent = spoken;
      clearTimeout(later);
      later = setTimeout(() => {
        copy.textContent = texts.copy;
        said.textContent = '';
      }, 2000);
    };
    copy.addEventListener('click', () => {
      navigator.clipboard.writeText(block.textContent ?? '').then(
        () => say(texts.copied, texts.copied),
        () => say(texts.notCopied, texts.copyYourself),
      );
    });
    head.append(copy, said);
  }
})();
