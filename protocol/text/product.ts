/** Names that a fork or a service replaces with its own. */

/** The product's displayed name. An operator who brands a fork changes only this. */
export const PRODUCT_NAME = 'Service Button';

/**
 * The address in the built `button.js` that the service replaces with its own as it serves the file: the folder of the
 * script's parts. A copy of the served file knows its service wherever it is moved. The host can't exist (RFC 6761).
 */
export const BUTTON_HOME = 'https://service.invalid/button/';
