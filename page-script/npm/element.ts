/** Entry `service-button/element`: importing it defines `<service-button>`. */
import { pageServiceButton } from './browser.ts';
import { defineElement } from './element-class.ts';

export type { ServiceButtonElement, ServiceButtonEventMap } from './element-class.ts';

/**
 * Defines the element, by this or by another name. A second definition of a name, and one on a server, does nothing.
 * @param name with a hyphen in it
 * @throws SyntaxError (a DOMException) where an element cannot have this name
 */
export function defineServiceButton(name = 'service-button'): void {
  if (typeof customElements !== 'undefined') defineElement(name, pageServiceButton);
}

defineServiceButton();
