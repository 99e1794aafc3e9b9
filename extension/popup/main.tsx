/** The wallet's popup. It also works in a tab. */
import { mount } from '../ui/window/mount.tsx';
import { SiteAccess } from '../ui/sites/site-access.tsx';
// Before the pages, whose rules refine these.
import '../ui/secrets/secrets.css';
import './popup.css';
import { Popup } from './popup.tsx';
import { createStore } from './store.ts';

mount(() => (
  <>
    <SiteAccess />
    <Popup store={createStore()} />
  </>
));
