/** The wallet's popup. It also works as a page of its own. */
import { mount } from '../ui/mount.tsx';
import { createStore } from './store.ts';
import { Popup } from './popup.tsx';
import './popup.css';

mount(() => <Popup store={createStore()} />);
