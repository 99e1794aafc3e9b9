/** The manifest for Firefox. All other files of the package are those that were built for Chromium. */
import type manifest from '../manifest.json';
import { REQUESTS_SCRIPT } from '../protocol/messages/wire.ts';

/** The manifest in the repository's root with the extension's key: the form that a build writes. */
export type ChromeManifest = typeof manifest & { key: string };

/** Identifies the extension to Firefox, which stores its data under this name. It never changes. */
export const FIREFOX_ID = 'wallet@service-button';

/**
 * The same manifest for Firefox.
 * - Its id is here, not derived from a key.
 * - Its background is an event page (a document that ends when idle), not a service worker.
 * - The minimum version is the extended support release that the tests run. The code needs at least 148
 *   (`location.ancestorOrigins`, for the relay to detect an embedded page).
 * - The relay's second part is web-accessible, because the first imports it. Its address is unique to this
 *   installation.
 * - No frame of the wallet is in a page, so there are no swipes: Firefox lacks Intersection Observer v2
 *   (docs/permissions.md).
 * - Data that leaves the browser must be declared: payments go to the network and, with an account, to the service,
 *   together with the paid site; an account has a name.
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
