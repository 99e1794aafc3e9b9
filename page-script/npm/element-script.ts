/** Entry point for `dist/button.element.js`: `<service-button>` for pages that include `button.js`. */
import { defineElement } from './element-class.ts';

function define(): boolean {
  const { serviceButton } = window;
  if (typeof serviceButton?.render !== 'function') return false;
  defineElement('service-button', () => window.serviceButton ?? serviceButton);
  return true;
}

// With `async`, the two scripts can run in either order. Existing elements become buttons when the element is defined.
if (!define()) {
  window.addEventListener(
    'load',
    () => {
      if (define()) return;
      const elements = [...document.querySelectorAll('service-button')];
      console.error(
        `[service-button] <service-button> needs button.js, but window.serviceButton is ${typeof window.serviceButton}. Write <script src="https://…/button.js"></script> with your service's address.`,
        ...elements,
      );
    },
    { once: true },
  );
}
