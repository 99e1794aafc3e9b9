/**
 * Shows when the browser keeps the wallet from web pages, and requests access. Users can withdraw an extension's sites,
 * and Firefox may not grant new ones by default.
 */
import { useEffect, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { siteAccessTexts as t } from '../texts/texts.ts';
import './site-access.css';

const named = () => ({ origins: browser.runtime.getManifest().host_permissions as string[] });

/** The notice above a window's contents, or nothing if all is allowed. */
export function SiteAccess() {
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const look = () => void browser.permissions.contains(named()).then((has) => setMissing(!has));
    look();
    // Granted or withdrawn in the browser in the meantime.
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
      {/* Requested immediately in the click, because browsers require user activation. The notice stays after a rejection. */}
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
