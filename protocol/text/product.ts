/** Names that a fork or a service replaces. */

/** The displayed product name. A rebranded fork changes only this. */
export const PRODUCT_NAME = 'Service Button';

/**
 * Placeholder in the built `button.js` for the folder of the script's parts. The service replaces it with its own URL
 * when it serves the file, so a copy of the served file still knows its service. The host can't exist (RFC 6761).
 */
export const BUTTON_HOME = 'https://service.invalid/button/';
