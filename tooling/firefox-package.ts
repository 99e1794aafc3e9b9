/** Creates the manifest for Firefox. All other files are the same as in the Chromium package. */
import type manifest from '../manifest.json';
import { REQUESTS_SCRIPT } from '../protocol/messages/wire.ts';

/** The manifest as written by a build: the one in the repository's root with the extension's key. */
export type ChromeManifest = typeof manifest & { key: string };

/** The extension's ID in Firefox, under which its data is stored. The ID must never change. */
export const FIREFOX_ID = 'wallet@service-button';

/**
 * Returns the manifest for Firefox, with these differences:
 * - The ID is in the manifest, not derived from a key.
 * - The background script is an event page (a document that is unloaded when idle), not a service worker.
 * - The minimum version is the extended support release used in the tests. The code needs at least 148, for
 *   `location.ancestorOrigins`, with which the relay detects that its page is embedded.
 * - The relay's second part is web-accessible, because the first part imports it. Its address is unique to each
 *   installation.
 * - There are no one-swipe payments, and thus no frames in pages, because Firefox lacks Intersection Observer v2
 *   (docs/permissions.md).
 * - The manifest declares the data that leaves the browser: payments (to the network and, with an account, to the
 *   service, together with the site), and the account's name.
 */
export function firefoxManifest({
  minimum_chrome_version: _,
  key: __,
  web_accessible_resources: [reachable],
  content_security_policy: { extension_pages: policy },
  background,
  ...shared
}: ChromeManifest) {
  return {
    ...shared,
    web_accessible_resources: [{ matches: reachable?.matches ?? [], resources: [REQUESTS_SCRIPT] }],
    content_security_policy: {
      extension_pages: policy.replace(/frame-ancestors [^;]+/, "frame-ancestors 'none'"),
    },
    background: { scripts: [background.service_worker], type: background.type },
    browser_specific_settings: {
      gecko: {
        id: FIREFOX_ID,
        strict_min_version: '153.0',
        data_collection_permissions: {
          required: ['browsingActivity', 'financialAndPaymentInfo', 'personallyIdentifyingInfo'],
        },
      },
    },
  };
}
