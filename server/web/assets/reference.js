/**
 * The script of the API reference: searching it, the language of its examples, and a contents list that is folded on
 * narrow windows and follows the reader on wide ones. Without it everything is shown, examples in both languages.
 */
(() => {
  'use strict';

  /** What this script says, in the page's language. */
  const texts = JSON.parse(document.querySelector('main').dataset.texts);
  const root = document.documentElement;
  const search = document.querySelector('#search');
  const found = document.querySelector('#found');
  const noneFound = document.querySelector('#none-found');
  const fold = document.querySelector('.contents-fold');
  const links = [...document.querySelectorAll('.contents a')];
  const operations = [...document.querySelectorAll('.operation[id]')];
  const parts = [...document.querySelectorAll('.reference-part')];

  // What is searched: an operation's whole text, with its examples. Read once, when somebody searches.
  let searched = null;
  const textsOf = () => (searched ??= new Map(operations.map((one) => [one, one.textContent.toLowerCase()])));

  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const searching = words.length > 0;
    let count = 0;
    for (const one of operations) {
      const fits = !searching || words.every((word) => textsOf().get(one).includes(word));
      one.hidden = !fits;
      if (fits) count += 1;
    }
    for (const part of parts) {
      const own = [...part.querySelectorAll('.operation[id]')];
      const isText = own.length === 0 && words.every((word) => part.textContent.toLowerCase().includes(word));
      part.hidden = searching && !isText && own.every((one) => one.hidden);
    }
    for (const link of links) {
      const target = document.getElementById(link.hash.slice(1));
      link.parentElement.hidden = searching && target?.closest('[hidden]') !== null;
    }
    const anything = parts.some((part) => !part.hidden);
    noneFound.hidden = anything;
    found.textContent = searching ? texts.found.replace('{count}', String(count)) : '';
  }

  function offerSearch() {
    search.closest('[hidden]').hidden = false;
    search.addEventListener('input', show);
    search.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || search.value === '') return;
      event.preventDefault();
      search.value = '';
      show();
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest('input, textarea, select')) return;
      event.preventDefault();
      search.focus();
    });
    // A link to something that the search has hidden shows it.
    addEventListener('hashchange', () => {
      const target = document.getElementById(location.hash.slice(1));
      if (!target?.closest('[hidden]')) return;
      search.value = '';
      show();
      target.scrollIntoView();
    });
  }

  function offerLanguages() {
    const group = document.querySelector('#languages');
    const buttons = [...group.querySelectorAll('button')];
    const choose = (language) => {
      root.dataset.examples = language;
      for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.language === language));
    };
    let stored = null;
    try {
      stored = localStorage.getItem('examples');
    } catch {
      // Where nothing is stored, it is chosen anew.
    }
    choose(stored === 'JavaScript' ? 'JavaScript' : 'curl');
    group.hidden = false;
    for (const button of buttons)
      button.addEventListener('click', () => {
        choose(button.dataset.language);
        try {
          localStorage.setItem('examples', button.dataset.language);
        } catch {
          // As above.
        }
      });
  }

  /** Folded where it stands above the text, open beside it. */
  function foldContents() {
    const isWide = matchMedia('(min-width: 900px)');
    const fit = () => {
      fold.open = isWide.matches;
    };
    fit();
    isWide.addEventListener('change', fit);
    fold.addEventListener('click', (event) => {
      if (event.target.closest('a') && !isWide.matches) fold.open = false;
    });
  }

  /** The operation in view is marked in the contents. */
  function followReader() {
    const byId = new Map(links.map((link) => [link.hash.slice(1), link]));
    let current = null;
    const watch = new IntersectionObserver(
      (entries) => {
        const link = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => byId.get(target.id))[0];
        if (!link || link === current) return;
        current?.removeAttribute('aria-current');
        current = link;
        link.setAttribute('aria-current', 'true');
        const list = link.closest('.contents');
        const { top, bottom } = link.getBoundingClientRect();
        const frame = list.getBoundingClientRect();
        if (top < frame.top || bottom > frame.bottom) list.scrollTop += top - frame.top - frame.height / 3;
      },
      { rootMargin: '-10% 0px -80% 0px' },
    );
    for (const one of operations) watch.observe(one);
  }

  /** On paper everything is unfolded, and folded again after. */
  function unfoldForPrint() {
    let opened = [];
    addEventListener('beforeprint', () => {
      opened = [...document.querySelectorAll('.reference-fold:not([open])')];
      for (const one of opened) one.open = true;
    });
    addEventListener('afterprint', () => {
      for (const one of opened) one.open = false;
    });
  }

  offerSearch();
  offerLanguages();
  foldContents();
  followReader();
  unfoldForPrint();
})();
