/** Entry point `service-button/element`. Importing it defines `<service-button>`. */
import { pageServiceButton } from './browser.ts';
import { defineElement } from './element-class.ts';

export type { ServiceButtonElement, ServiceButtonEventMap } from './element-class.ts';

/**
 * Defines the element under this name, unless it is already defined. Does nothing on a server.
 * @param name a name with a hyphen
 * @throws SyntaxError (a DOMException) for an invalid name
 */
export function defineServiceButton(name = 'service-button'): void {
  if (typeof customElements !== 'undefined') defineElement(name, pageServiceButton);
}

defineServiceButton();
