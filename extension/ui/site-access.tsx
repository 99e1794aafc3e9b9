/**
 * Says when the browser keeps the wallet from web pages, and asks for it. Firefox and Chrome both let their users take
 * an extension's sites away, and Firefox may not give new ones by itself; without them the relay does not run.
 */
import { useEffect, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { siteAccessTexts as t } from './texts-site-access.ts';
import './site-access.css';

/** The sites that the manifest names. */
const named = () => ({ origins: browser.runtime.getManifest().host_permissions as string[] });

/** The notice above a window's contents, or nothing if all is allowed. */
export function SiteAccess() {
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const look = () => void browser.permissions.contains(named()).then((has) => setMissing(!has));
    look();
    // Given or taken meanwhile, in the browser's own settings or by its question.
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
