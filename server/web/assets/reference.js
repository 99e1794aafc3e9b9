/**
 * Script for the API reference: a keyboard shortcut for search, the examples' language, and a table of contents that
 * collapses in narrow windows and highlights the current section in wide ones. Without it, everything is visible, with
 * examples in both languages.
 */
(() => {
  'use strict';

  const root = document.documentElement;
  const fold = document.querySelector('.contents-fold');
  const links = [...document.querySelectorAll('.contents-entry')];
  const operations = [...document.querySelectorAll('.operation[id]')];

  /** Focuses the search field when the slash key is pressed. */
  function offerSearch() {
    const search = document.querySelector('#search');
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest('input, textarea, select')) return;
      event.preventDefault();
      search.focus();
    });
  }

  /** Redirects anchors of the former single-page reference to their current pages. */
  function followOldLinks() {
    const { hash } = location;
    if (hash.length < 2 || document.getElementById(hash.slice(1))) return;
    const moved = [...document.querySelectorAll('.calls a')].find((link) => link.hash === hash);
    const errors = hash.startsWith('#error-') ? `/api/reference/errors${hash}` : null;
    if (moved || errors) location.replace(moved?.href ?? errors);
  }

  function offerLanguages() {
    const group = document.querySelector('#languages');
    // Without examples, there is no language to choose.
    if (!document.querySelector('[data-code="JavaScript"]')) return;
    const buttons = [...group.querySelectorAll('button')];
    const choose = (language) => {
      root.dataset.examples = language;
      for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.language === language));
    };
    let stored = null;
    try {
      stored = localStorage.getItem('examples');
    } catch {}
    choose(stored === 'JavaScript' ? 'JavaScript' : 'curl');
    group.hidden = false;
    for (const button of buttons)
      button.addEventListener('click', () => {
        choose(button.dataset.language);
        try {
          localStorage.setItem('examples', button.dataset.language);
        } catch {}
      });
  }

  /** Collapses the table of contents if it is above the text, and expands it if it is next to the text. */
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

  /** Highlights the currently visible operation in the contents. */
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

  /** Expands everything for printing, and collapses it again afterwards. */
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
  followOldLinks();
  offerLanguages();
  foldContents();
  followReader();
  unfoldForPrint();
})();
