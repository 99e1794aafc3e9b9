/**
 * Shows a notice if the extension lacks access to web pages, and requests access. Users can revoke an extension's site
 * access, and Firefox may not grant access to new sites by default.
 */
import { useEffect, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { siteAccessTexts as t } from '../texts/texts.ts';
import './site-access.css';

const named = () => ({ origins: browser.runtime.getManifest().host_permissions as string[] });

/** Shows the notice above a window's contents, or nothing if access is granted. */
export function SiteAccess() {
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const look = () => void browser.permissions.contains(named()).then((has) => setMissing(!has));
    look();
    // Access can be granted or revoked in the browser while this window is open.
    browser.permissions.onAdded.addListener(look);
    browser.permissions.onRemoved.addListener(look);
    return () => {
      browser.permissions.onAdded.removeListener(look);
      browser.permissions.onRemoved.removeListener(look);
    };
  }, []);
  if (!missing) return null;
  return (
    <aside class="banner banner-warning site-access" aria-label={t.title}>
      <p class="banner-title">{t.title}</p>
      <p class="small">{t.text}</p>
      {/* Requested synchronously, because the browser requires user activation. */}
      <button
        type="button"
        class="button button-quiet"
        onClick={() => void browser.permissions.request(named()).catch(() => undefined)}
      >
        {t.allow}
      </button>
    </aside>
  );
}
