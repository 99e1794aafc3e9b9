/** The wallet's popup. It also works as a page of its own. */
import { mount } from '../ui/mount.tsx';
import { SiteAccess } from '../ui/site-access.tsx';
import { createStore } from './store.ts';
import { Popup } from './popup.tsx';
import '../ui/secrets.css';
import './popup.css';

mount(() => (
  <>
    <SiteAccess />
    <Popup store={createStore()} />
  </>
));
