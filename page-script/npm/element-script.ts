/** Entry of `dist/button.element.js`: `<service-button>` for pages that include `button.js`. */
import { defineElement } from './element-class.ts';

function define(): boolean {
  const { serviceButton } = window;
  if (typeof serviceButton?.render !== 'function') return false;
  defineElement('service-button', () => window.serviceButton ?? serviceButton);
  return true;
}

// With `async` the two scripts run in any order. Elements that are there already become buttons when it is defined.
if (!define()) {
  window.addEventListener(
    'load',
    () => {
      if (!define()) console.error('[service-button] button.element.js needs button.js on the same page.');
    },
    { once: true },
  );
}
