/** Entry point for the wallet's popup, which also works in a tab. */
import { mount } from '../ui/window/mount.tsx';
import { SiteAccess } from '../ui/sites/site-access.tsx';
// Imported before the pages, because their style rules override these.
import '../ui/secrets/secrets.css';
import './popup.css';
import { Popup } from './popup.tsx';
import { createStore } from './popup-state.ts';

mount(() => (
  <>
    <SiteAccess />
    <Popup store={createStore()} />
  </>
));
