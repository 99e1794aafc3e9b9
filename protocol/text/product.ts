/** The product's name, and a placeholder that the service replaces. */

/** The displayed product name. A fork with a different name changes this constant and the names in `manifest.json`. */
export const PRODUCT_NAME = 'Service Button';

/**
 * Placeholder in the built `button.js` for the folder of the script's parts. When the service serves the file, it
 * replaces the placeholder with its own URL, so copies of the served file still contain that URL. The host can't exist
 * (RFC 6761).
 */
export const BUTTON_HOME = 'https://service.invalid/button/';
