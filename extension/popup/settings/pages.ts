/** The settings pages. Each page has a URL, for links and for the browser's Back and Forward buttons. */
import { useLayoutEffect, useState } from 'preact/hooks';

const PAGES = [
  'contacts',
  'service',
  'connected',
  'shortcuts',
  'words',
  'password',
  'passkeys',
  'addresses',
  'search',
  'app-data',
  'remove',
] as const;
type Page = (typeof PAGES)[number];

/** Returns the page named in the URL, or `all` for the list of pages. */
const named = (): Page | 'all' => PAGES.find((page) => location.hash === `#${page}`) ?? 'all';

export function usePage(): [page: Page | 'all', open: (page: Page) => void, back: () => void] {
  const [page, setPage] = useState(named);
  // A layout effect, because a passive effect would run too late if the user presses Back before the first frame.
  useLayoutEffect(() => {
    const follow = () => setPage(named());
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const open = (next: Page) => {
    history.pushState({ isFromList: page === 'all' }, '', `#${next}`);
    setPage(next);
  };
  const back = () => {
    // If the page was opened from a link, the history has no entry for the list.
    if ((history.state as { isFromList?: boolean } | null)?.isFromList) history.back();
    else history.replaceState(null, '', location.pathname);
    setPage('all');
  };
  return [page, open, back];
}
