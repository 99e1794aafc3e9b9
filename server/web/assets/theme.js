/**
 * Applies the user's light or dark theme if it differs from the system's. Loaded before the first paint, to prevent a
 * flash of the wrong theme.
 */
(() => {
  'use strict';

  const KEY = 'theme';
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');

  function remembered() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is blocked
    }
  }

  function remember(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // storage is blocked: applies only to this page
    }
  }

  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);

  const chosen = remembered();
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;

  document.addEventListener('DOMContentLoaded', () => {
    const toggle = document.querySelector('.theme-toggle');
    const name = () => {
      toggle.ariaLabel = toggle.title = isDark() ? toggle.dataset.toLight : toggle.dataset.toDark;
    };
    toggle.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      remember(root.dataset.theme);
      name();
    });
    system.addEventListener('change', name);
    name();
    toggle.hidden = false;
  });
})();
