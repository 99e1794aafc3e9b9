/** Entry `service-button/element`: importing it defines `<service-button>`. */
import { pageServiceButton } from './browser.ts';
import { defineElement } from './element-class.ts';

export type { ServiceButtonElement, ServiceButtonEventMap } from './element-class.ts';

/**
 * Defines the element, by this or by another name. Does nothing for a name that is already defined, or on a server.
 * @param name with a hyphen in it
 * @throws SyntaxError (a DOMException) if the name is invalid for an element
 */
export function defineServiceButton(name = 'service-button'): void {
  if (typeof customElements !== 'undefined') defineElement(name, pageServiceButton);
}

defineServiceButton();
