/** The pages of the settings. Each has an address, for links and for the browser's Back and Forward. */
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

/** The page that the address names; `all` lists the others. */
const named = (): Page | 'all' => PAGES.find((page) => location.hash === `#${page}`) ?? 'all';

export function usePage(): [page: Page | 'all', open: (page: Page) => void, back: () => void] {
  const [page, setPage] = useState(named);
  // An effect that waits for the first frame would miss a Back that comes before it.
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
    // From a link there is no list to go back to.
    if ((history.state as { isFromList?: boolean } | null)?.isFromList) history.back();
    else history.replaceState(null, '', location.pathname);
    setPage('all');
  };
  return [page, open, back];
}
